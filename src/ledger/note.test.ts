import { describe, expect, test } from 'vitest';
import { openNote, signNote } from './note.ts';
import { generateKey, parsePrivateKey, parseVerifier } from './note-key.ts';

// Text, keys and signatures of golang.org/x/mod/sumdb/note's tests, the format's first implementation.
const peter = parseVerifier('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
const enoch = parseVerifier('EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop');
const text =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n";
const byPeter =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const byEnoch =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
const note = `${text}\n${byPeter}`;

function outcome(input: string, verifier = peter): string {
  const result = openNote(input, verifier);
  return result.ok ? 'opened' : result.reason;
}

describe('a note', () => {
  test('is signed as other implementations sign it', () => {
    const pem =
      '-----BEGIN PRIVATE KEY-----\n' +
      'MC4CAQAwBQYDK2VwBCIEIIEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz\n' +
      '-----END PRIVATE KEY-----\n';
    expect(signNote(parsePrivateKey('PeterNeumann', pem), text)).toBe(note);
  });

  test('opens with the key that signed it, whoever else did', () => {
    expect(openNote(note, peter)).toEqual({ ok: true, text });
    expect(openNote(`${text}\n${byEnoch}${byPeter}`, peter)).toEqual({ ok: true, text });
    expect(openNote(`${text}\n${byEnoch}${byPeter}`, enoch)).toEqual({ ok: true, text });
  });

  test('may hold empty lines and any alphabet', () => {
    const key = generateKey('example.com/hone');
    for (const body of ['\n', '\n\n', 'a\n\n— b c\n\n', 'é 漢 😀\n'])
      expect(openNote(signNote(key, body), key)).toEqual({ ok: true, text: body });
  });

  test('cannot be made of a text that it could not hold', () => {
    const key = generateKey('example.com/hone');
    for (const body of ['', 'no newline', 'a\r\n', 'a\0\n', 'a\ud800\n', 'a'.repeat(300_000)])
      expect(() => signNote(key, body)).toThrow();
  });
});

describe('trust', () => {
  const fakeLine = (name: string, bytes: Buffer) => `— ${name} ${bytes.toString('base64')}\n`;
  const signature = Buffer.from(byPeter.split(' ')[2]!, 'base64');
  const otherId = Buffer.concat([Buffer.from([0, 0, 0, 0]), signature.subarray(4)]);

  test('needs a signature with both the name and the id', () => {
    expect(outcome(note, enoch)).toBe('note_not_signed_by_key');
    expect(outcome(`${text}\n${fakeLine('PeterNeumann', otherId)}`)).toBe('note_not_signed_by_key');
    expect(outcome(`${text}\n${fakeLine('Peter', signature)}`)).toBe('note_not_signed_by_key');
  });

  test('ignores signatures of unknown keys, however odd', () => {
    const odd =
      fakeLine('PeterNeumann', otherId) + fakeLine('漢字', Buffer.alloc(5)) + byEnoch + byEnoch;
    expect(outcome(`${text}\n${odd}${byPeter}`)).toBe('opened');
  });

  test('ends where the key signed something else, or in another length', () => {
    expect(outcome(note.replace('think', 'drink'))).toBe('note_signature_wrong');
    for (const bytes of [
      signature.subarray(0, 5),
      signature.subarray(0, -1),
      Buffer.concat([signature, signature]),
    ])
      expect(outcome(`${text}\n${fakeLine('PeterNeumann', bytes)}`)).toBe('note_signature_wrong');
  });

  test('is not given to a key that signed twice', () => {
    expect(outcome(note + byPeter)).toBe('note_signed_twice');
    const wrong = Buffer.concat([signature.subarray(0, 4), Buffer.alloc(64)]);
    expect(outcome(note + fakeLine('PeterNeumann', wrong))).toBe('note_signed_twice');
  });
});

describe('malformed input', () => {
  const cases: Record<string, readonly [string, string][]> = {
    note_structure: [
      ['nothing', ''],
      ['a newline', '\n'],
      ['text only', text],
      ['no signatures', `${text}\n`],
      ['no blank line', text + byPeter],
      ['no last newline', note.slice(0, -1)],
      ['a signature only', byPeter],
      ['blank lines at the end', `${note}\n\n`],
    ],
    note_characters: [
      ['CRLF', note.replaceAll('\n', '\r\n')],
      ['one carriage return', note.replace('\n', '\r\n')],
      ['NUL', note.replace('think', 'thi\0nk')],
      ['a tab', note.replace(' ', '\t')],
      ['half a surrogate pair', note.replace('think', 'thi\udc00nk')],
    ],
    note_signature_line: [
      ['a hyphen for the dash', note.replace('—', '-')],
      ['an en dash for the dash', note.replace('—', '–')],
      ['a horizontal bar for the dash', note.replace('—', '―')],
      ['a no-break space behind the dash', note.replace('— ', '—\u00a0')],
      ['an ideographic space in the name', note.replace('PeterN', 'Peter\u3000N')],
      ['a next-line character in the name', note.replace('PeterN', 'Peter\u0085N')],
      ['a byte order mark in the name', note.replace('PeterN', 'Peter\ufeffN')],
      ['a plus in the name', note.replace('PeterN', 'Peter+N')],
      ['no name', note.replace('PeterNeumann ', '')],
      ['two spaces', note.replace('Neumann ', 'Neumann  ')],
      ['a space at the end', note.replace(/\n$/, ' \n')],
      ['another line among the signatures', `${note}Unexpected line.\n`],
      ['truncated base64', note.replace('AM=', 'AM')],
      ['base64 with bits left over', note.replace('AM=', 'AN=')],
      ['base64 for URLs', note.replace('x08go/', 'x08go_')],
      ['a signature without content', note.replace(/ x08g.*\n/, ' x08gow==\n')],
    ],
    note_too_long: [
      ['a huge text', 'a'.repeat(300_000) + note],
      ['a hundred and one signatures', note + byEnoch.repeat(100)],
    ],
  };

  for (const [reason, inputs] of Object.entries(cases))
    test.each(inputs)(`is refused as ${reason}: %s`, (_, input) => {
      expect(input).not.toBe(note);
      expect(outcome(input)).toBe(reason);
    });

  test('a hundred signatures are still read', () => {
    expect(outcome(note + byEnoch.repeat(99))).toBe('opened');
  });

  test('a blank line among the signatures makes the lines above it text', () => {
    expect(outcome(`${note}\n${byEnoch}`)).toBe('note_not_signed_by_key');
    expect(outcome(`${note}\n${byPeter}`)).toBe('note_signature_wrong');
  });
});
