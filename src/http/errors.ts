/** Why `hone up` cannot listen, explained for whoever started it. */
import { errorCode, errorMessage, HoneError } from '../base/index.ts';
import type { ServerErrorCode } from '../contracts/error-table.ts';

export class ServerError extends HoneError<ServerErrorCode> {}

/** `cause`: what the machine said when we asked to listen. */
export function listenError(
  cause: unknown,
  { host, port }: { host: string; port: number },
): ServerError {
  switch (errorCode(cause)) {
    case 'EADDRINUSE': {
      const message = `Port ${port} of ${host} is taken: is another "hone up" running?`;
      return new ServerError('port_taken', message, { hint: 'Use --port or server.port.', cause });
    }
    case 'EACCES':
      return new ServerError('port_forbidden', `This user may not listen on port ${port}.`, {
        hint: 'Use --port or server.port with a port of 1024 or above.',
        cause,
      });
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
      return new ServerError('bad_host', `${host} is not an address of this machine.`, {
        hint: 'Correct server.host in hone.yaml, such as 127.0.0.1, then "hone config accept".',
        cause,
      });
    default: {
      const message = `Hone cannot listen on port ${port} of ${host}: ${errorMessage(cause)}`;
      return new ServerError('cannot_listen', message, { cause });
    }
  }
}
