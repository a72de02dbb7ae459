/** Whether the server may listen where it is told to, and with what certificate. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { errorMessage, isLoopback } from '../base/index.ts';
import { ServerError } from './errors.ts';

interface ServerSettings {
  readonly host: string;
  readonly tlsCertificate: string;
  readonly tlsKey: string;
  readonly unencrypted: boolean;
}

/** Undefined for plain HTTP: on this machine, or where somebody accepted that tokens travel in the clear. */
export function tlsOf(
  { host, tlsCertificate, tlsKey, unencrypted }: ServerSettings,
  configDir: string,
): { readonly cert: string; readonly key: string } | undefined {
  if (tlsCertificate === '' && tlsKey === '') {
    if (isLoopback(host) || unencrypted) return undefined;
    throw new ServerError(
      'needs_tls',
      `Others than this machine reach ${host}, and without TLS everybody on the way reads the tokens.`,
      {
        hint: 'Set server.tlsCertificate and server.tlsKey, or server.host to 127.0.0.1; where a proxy or a tunnel encrypts, server.unencrypted: true. Then "hone config accept".',
      },
    );
  }
  try {
    const [cert, key] = [tlsCertificate, tlsKey].map((path) =>
      readFileSync(resolve(configDir, path), 'utf8'),
    ) as [string, string];
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (cause) {
    const message = `The certificate or its key cannot be used: ${errorMessage(cause)}.`;
    throw new ServerError('bad_tls', message, {
      hint: 'server.tlsCertificate and server.tlsKey name PEM files that belong together.',
      cause,
    });
  }
}
