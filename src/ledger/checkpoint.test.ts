import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Checkpoint, openCheckpoint, parseCheckpoint, signCheckpoint } from './checkpoint.ts';
import { LedgerError } from './errors.ts';
import { emptyRoot, hashLeaf } from './merkle.ts';
import { signNote } from './note.ts';
import { generateKey } from './note-key.ts';

const key = generateKey('example.com/hone');
const root = hashLeaf(Buffer.from('a'));
const rootText = Buffer.from(root).toString('base64');
const checkpoint: Checkpoint = { origin: key.name, size: 20852163, root, extensions: [] };

/** The outcome for a note text that the right key signed. */
function signedOutcome(text: string): string {
  const result = openCheckpoint(signNote(key, text), key);
  return result.ok ? 'opened' : result.reason;
}

const anyCheckpoint: fc.Arbitrary<Checkpoint> = fc.record({
  origin: fc.constant(key.name),
  size: fc.oneof(fc.maxSafeNat(), fc.nat(10)).filter((size) => size > 0),
  root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  extensions: fc.array(fc.stringMatching(/^[!-~é漢😀 ]{1,20}$/u), { maxLength: 3 }),
});

describe('a checkpoint', () => {
  test('is written as the format shows it', () => {
    const [origin, size, hash, blank, signature, end] = signCheckpoint(key, checkpoint).split('\n');
    expect([origin, size, hash, blank, end]).toEqual([key.name, '20852163', rootText, '', '']);
    expect(signature).toMatch(/^— example\.com\/hone [A-Za-z0-9+/]{91}=$/);
  });

  test('opens when it was signed, with everything it held', () => {
    fc.assert(
      fc.property(anyCheckpoint, (given) => {
        const result = openCheckpoint(signCheckpoint(key, given), key);
        if (!result.ok) expect.fail(result.reason);
        expect({ ...result.checkpoint, root: Uint8Array.from(result.checkpoint.root) }).toEqual(
          given,
        );
      }),
    );
  });

  test('does not open when any one byte of it is another', () => {
    fc.assert(
      fc.property(
        anyCheckpoint,
        fc.nat(1e6),
        fc.integer({ min: 1, max: 255 }),
        (given, seed, change) => {
          const bytes = Buffer.from(signCheckpoint(key, given));
          bytes[seed % bytes.length]! ^= change;
          expect(openCheckpoint(bytes.toString('utf8'), key).ok).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('does not open when it was cut off anywhere', () => {
    const text = signCheckpoint(key, checkpoint);
    for (let length = 0; length < text.length; length++)
      expect(openCheckpoint(text.slice(0, length), key).ok).toBe(false);
  });

  test('of the empty ledger has the empty root and no other', () => {
    const empty = { ...checkpoint, size: 0, root: emptyRoot() };
    expect(openCheckpoint(signCheckpoint(key, empty), key)).toEqual({
      ok: true,
      checkpoint: empty,
    });
    expect(signedOutcome(`${key.name}\n0\n${rootText}\n`)).toBe('checkpoint_empty_root');
    expect(() => signCheckpoint(key, { ...empty, root })).toThrow('not a checkpoint');
  });

  test('of another ledger is refused, whether its key or its name is another', () => {
    const other = generateKey(key.name);
    const result = openCheckpoint(signCheckpoint(other, checkpoint), key);
    expect(result).toEqual({ ok: false, reason: 'note_not_signed_by_key' });
    expect(signedOutcome(`example.com/other\n1\n${rootText}\n`)).toBe('checkpoint_origin');
  });

  test('is only signed by the key of its name', () => {
    const wrong = { ...checkpoint, origin: 'example.com/other' };
    expect(() => signCheckpoint(key, wrong)).toThrow(
      expect.objectContaining({ name: LedgerError.name, code: 'checkpoint_origin' }),
    );
  });

  test('cannot be signed with fields that would read back as others', () => {
    const bad: Partial<Checkpoint>[] = [
      { size: -1 },
      { size: 1.5 },
      { size: 2 ** 53 },
      { size: 1e21 },
      { root: root.subarray(1) },
      { extensions: [''] },
      { extensions: ['one\ntwo'] },
      { extensions: ['one\n\n— two AAAAAAA='] },
      { extensions: ['carriage\rreturn'] },
    ];
    for (const change of bad)
      expect(() => signCheckpoint(key, { ...checkpoint, ...change })).toThrow();
  });
});

describe('a signed text that is no checkpoint is refused', () => {
  const withSize = (size: string) => `${key.name}\n${size}\n${rootText}\n`;
  const withRoot = (hash: string) => `${key.name}\n1\n${hash}\n`;

  test('and one that is, is not', () => {
    expect(signedOutcome(withSize('1'))).toBe('opened');
    expect(signedOutcome(withSize('9007199254740991'))).toBe('opened');
  });

  test.each([
    '\n',
    `${key.name}\n`,
    `${key.name}\n1\n`,
    `\n1\n${rootText}\n`,
    `${withSize('1')}\n`,
    `${withSize('1')}\nextension\n`,
  ])('for its lines: %j', (text) => expect(signedOutcome(text)).toBe('checkpoint_lines'));

  test.each([
    '01',
    '00',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1 ',
    '١',
    '１',
    'one',
    '9007199254740992',
    '18446744073709551615',
    '9'.repeat(10_000),
  ])('for its size: %s', (size) => expect(signedOutcome(withSize(size))).toBe('checkpoint_size'));

  test('for lacking the last newline, which would hide its last line', () => {
    const text = `${withSize('1')}extension`;
    expect(parseCheckpoint(text)).toEqual({ ok: false, reason: 'checkpoint_lines' });
  });

  test.each([
    ['truncated', rootText.slice(0, -1)],
    ['unpadded and short', rootText.slice(0, -2)],
    ['for URLs', Buffer.alloc(32, 255).toString('base64url')],
    ['followed by a space', `${rootText} `],
    ['in hexadecimal', Buffer.from(root).toString('hex')],
    ['of 31 bytes', Buffer.alloc(31).toString('base64')],
    ['of 33 bytes', Buffer.alloc(33).toString('base64')],
    ['not base64', '!'.repeat(44)],
  ])('for its root: %s', (_, hash) =>
    expect(signedOutcome(withRoot(hash))).toBe('checkpoint_root'),
  );
});
