/** A certificate for this machine, signed by its own key (RFC 5280), so that tests need no other program. */
import { generateKeyPairSync, sign } from 'node:crypto';

export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = part(0x30, ED25519);
  const name = part(
    0x30,
    part(0x31, part(0x30, COMMON_NAME, part(0x0c, Buffer.from('localhost')))),
  );
  const names = part(
    0x30,
    part(0x82, Buffer.from('localhost')),
    part(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const body = part(
    0x30,
    part(0xa0, part(0x02, Buffer.from([2]))),
    part(0x02, Buffer.from([1])),
    algorithm,
    name,
    part(0x30, timePart('20200101000000Z'), timePart('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    part(0xa3, part(0x30, part(0x30, OTHER_NAMES, part(0x04, names)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]);
  const whole = part(0x30, body, algorithm, part(0x03, signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** Object identifiers: 1.3.101.112, 2.5.4.3 and 2.5.29.17. */
const ED25519 = Buffer.from([0x06, 3, 0x2b, 0x65, 0x70]);
const COMMON_NAME = Buffer.from([0x06, 3, 0x55, 0x04, 0x03]);
const OTHER_NAMES = Buffer.from([0x06, 3, 0x55, 0x1d, 0x11]);

const timePart = (text: string) => part(0x18, Buffer.from(text));

/** Tag, length and what is in it. */
function part(tag: number, ...inside: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(inside);
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
