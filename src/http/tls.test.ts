import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../test/self-signed.ts';
import { silentLog, systemClock } from '../base/index.ts';
import { startHost, tlsOf } from './index.ts';

const NETWORK = { host: '0.0.0.0', tlsCertificate: '', tlsKey: '', unencrypted: false };
const GIVEN = { ...NETWORK, tlsCertificate: 'cert.pem', tlsKey: 'key.pem' };

describe('ID-1 TLS', () => {
  let folder: string;
  const pair = selfSigned();
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-tls-'));
    writeFileSync(join(folder, 'cert.pem'), pair.cert);
    writeFileSync(join(folder, 'key.pem'), pair.key);
    writeFileSync(join(folder, 'other.pem'), selfSigned().key);
    writeFileSync(join(folder, 'bad.pem'), 'not a key');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('an address that others reach needs it, unless somebody says that something else encrypts', () => {
    expect(() => tlsOf(NETWORK, folder)).toThrow(
      /without TLS everybody on the way reads the tokens/,
    );
    expect(tlsOf({ ...NETWORK, unencrypted: true }, folder)).toBeUndefined();
    expect(tlsOf({ ...NETWORK, host: '127.0.0.1' }, folder)).toBeUndefined();
    expect(tlsOf(GIVEN, folder)).toEqual(pair);
  });

  test.each(['other.pem', 'bad.pem', 'missing.pem', ''])(
    'a certificate with the key "%s" is refused before anything listens, and its bytes are not repeated',
    (tlsKey) => {
      expect(() => tlsOf({ ...GIVEN, tlsKey }, folder)).toThrow(
        /certificate or its key cannot be used/,
      );
      try {
        tlsOf({ ...GIVEN, tlsKey }, folder);
      } catch (error) {
        expect(String(error)).not.toContain('not a key');
      }
    },
  );

  test('the server speaks it and nothing else: whoever knows the certificate is answered, plain HTTP is not', async () => {
    const host = await startHost({
      tls: tlsOf(GIVEN, folder),
      host: '127.0.0.1',
      port: 0,
      guard: { allowedHosts: [], allowedOrigins: [] },
      clock: systemClock,
      log: silentLog,
      routes: [],
      workers: [],
      bearer: () => Promise.resolve(undefined),
      probe: () => Promise.resolve(),
    });
    try {
      expect(host.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
      expect(await status(`${host.url}/readyz`, pair.cert)).toBe(200);
      await expect(status(`${host.url}/readyz`, selfSigned().cert)).rejects.toThrow(/self-signed/);
      await expect(fetch(`${host.url.replace('https', 'http')}/readyz`)).rejects.toThrow();
    } finally {
      await host.stop();
    }
  });
});

function status(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject);
    sent.end();
  });
}
