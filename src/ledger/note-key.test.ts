import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LedgerError, type LedgerErrorCode } from './errors.ts';
import {
  formatPrivateKey,
  formatVerifier,
  generateKey,
  parsePrivateKey,
  parseVerifier,
} from './note-key.ts';

// The key of golang.org/x/mod/sumdb/note's tests: what others make of it, we must make of it too.
const KNOWN_PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIIEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz
-----END PRIVATE KEY-----
`;
const KNOWN_VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

function codeOf(call: () => unknown): LedgerErrorCode | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
  return undefined;
}

describe('a key', () => {
  test('has the verifier text that other implementations give it', () => {
    const key = parsePrivateKey('PeterNeumann', KNOWN_PEM);
    expect(formatVerifier(key)).toBe(KNOWN_VERIFIER);
    expect(formatPrivateKey(key)).toBe(KNOWN_PEM);
    expect(formatVerifier(parseVerifier(KNOWN_VERIFIER))).toBe(KNOWN_VERIFIER);
  });

  test('survives being written and read back', () => {
    const key = generateKey('example.com/hone');
    const again = parsePrivateKey(key.name, formatPrivateKey(key));
    expect(formatVerifier(again)).toBe(formatVerifier(key));
    expect(formatVerifier(parseVerifier(formatVerifier(key)))).toBe(formatVerifier(key));
    expect(formatVerifier(generateKey('example.com/hone'))).not.toBe(formatVerifier(key));
  });

  test('has another id under another name', () => {
    const ids = ['a', 'b'].map((name) => parsePrivateKey(name, KNOWN_PEM).keyId);
    expect(ids[0]).not.toEqual(ids[1]);
  });

  test.each([
    '',
    'two words',
    'a+b',
    'a\nb',
    'a\u00a0b',
    'a\u2003',
    'a\u200b',
    'a\u202eb',
    'a\u0000',
    '\ufeffa',
    'a\ud800',
    'a'.repeat(257),
  ])('cannot be named %j', (name) => {
    expect(codeOf(() => generateKey(name))).toBe('key_name');
    expect(codeOf(() => parsePrivateKey(name, KNOWN_PEM))).toBe('key_name');
  });
});

describe('a private key text is refused when it', () => {
  const ed25519 = generateKeyPairSync('ed25519');
  const code = (pem: string) => codeOf(() => parsePrivateKey('name', pem));

  test.each([
    ['is empty', ''],
    ['is something else', 'hello'],
    ['was cut off', KNOWN_PEM.slice(0, 80)],
    ['is too long', KNOWN_PEM + '\n'.repeat(20_000)],
    ['is the public key', ed25519.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    [
      'needs a passphrase',
      ed25519.privateKey
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
    ],
  ])('%s', (_, pem) => expect(code(pem)).toBe('key_unreadable'));

  test('is of another kind', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(code(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toBe('key_type');
  });
});

describe('a verifier text is refused when it', () => {
  const code = (text: string) => codeOf(() => parseVerifier(text));

  test.each<[string, LedgerErrorCode, string]>([
    ['is empty', 'verifier_malformed', ''],
    ['ends in a newline', 'verifier_malformed', `${KNOWN_VERIFIER}\n`],
    ['lacks its id', 'verifier_malformed', KNOWN_VERIFIER.replace('+c74f20a3', '')],
    ['has its id in capitals', 'verifier_malformed', KNOWN_VERIFIER.replace('c74f', 'C74F')],
    ['has a key that is not base64', 'verifier_malformed', KNOWN_VERIFIER.slice(0, -1)],
    ['is very long', 'verifier_malformed', KNOWN_VERIFIER + 'A'.repeat(1_000_000)],
    ['has another id', 'verifier_key_id', KNOWN_VERIFIER.replace('c74f', 'c74e')],
    ['has another name', 'verifier_key_id', KNOWN_VERIFIER.replace('Peter', 'Pete')],
    ['has a space in its name', 'key_name', KNOWN_VERIFIER.replace('Peter', 'Peter ')],
    [
      'is of another type',
      'key_type',
      'PeterNeumann+c74f20a3+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ],
    [
      'has a longer key',
      'key_type',
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWAAAA',
    ],
  ])('%s', (_, expected, text) => expect(code(text)).toBe(expected));

  test('differs in any one character', () => {
    fc.assert(
      fc.property(
        fc.nat(KNOWN_VERIFIER.length - 1),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, char) => {
          fc.pre(KNOWN_VERIFIER[at] !== char);
          const changed = KNOWN_VERIFIER.slice(0, at) + char + KNOWN_VERIFIER.slice(at + 1);
          expect(code(changed)).toBeDefined();
        },
      ),
    );
  });
});
