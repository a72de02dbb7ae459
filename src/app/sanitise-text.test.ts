/** Pieces of a text are never cut where a secret may go on, whatever pieces it comes in. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captureIo } from '../cli/captured-io.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import { piecesOf, sanitiseText } from './sanitise-text.ts';

async function* chunks(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function pieces(text: string, length = 10_000): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of piecesOf(chunks(text, length))) all.push(piece);
  return all;
}

async function sanitised(text: string) {
  const surroundings = { ...processSurroundings(), cwd: '/', io: captureIo().io };
  let out = '';
  const report = await sanitiseText(makeContext(false, 'test', surroundings), undefined, {
    stdin: chunks(text, 65_536),
    write: (clean) => {
      out += clean;
      return Promise.resolve();
    },
  });
  return { out, report };
}

const LINE = `${'word '.repeat(20)}\n`;

describe('pieces', () => {
  test('together they are the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(LINE, 'a: b\n', '  - x\n', '-----BEGIN KEY-----\n', '😀', '{"a":1},'),
          {
            maxLength: 40,
          },
        ),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1000, max: 70_000 }),
        async (parts, times, length) => {
          const text = parts.join('').repeat(times);
          expect((await pieces(text, length)).join('')).toBe(text);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('none ends inside a private key, or behind a line that announces a value', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(40)}-----END PRIVATE KEY-----\n`;
    const text = `${LINE.repeat(640)}${key}${LINE.repeat(640)}password:\n  hunter2\n`.repeat(8);
    const all = await pieces(text);
    expect(all.length).toBeGreaterThan(4);
    for (const piece of all) {
      expect(piece.split('BEGIN').length).toBe(piece.split('END').length);
      expect(piece.trimEnd()).not.toMatch(/password:$/);
    }
  });

  test('a line of megabytes is cut behind a bracket or comma, and memory stays bounded', async () => {
    const all = await pieces(`{"a":"${'b'.repeat(50)}"},`.repeat(50_000));
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(600_000);
    for (const piece of all) expect(piece).toMatch(/[},]$/);
  });
});

test('secrets at any place of a long text are replaced, and counted with their lines', async () => {
  const text = `${LINE.repeat(700)}password=hunter2xyz\n`.repeat(5);
  const { out, report } = await sanitised(text);
  expect(out).toBe(text.replaceAll('hunter2xyz', '[REDACTED:KEY]'));
  expect(report).toMatchObject({
    lines: 3505,
    replaced: 5,
    kinds: [{ kind: 'key', count: 5, lines: [701, 1402, 2103, 2804, 3505] }],
  });
});

test('one word of megabytes is left out, with its end', async () => {
  const { out, report } = await sanitised(`start\n${'A1b2'.repeat(400_000)}\nend\n`);
  expect(out.length).toBeLessThan(200);
  expect(out).toMatch(/^start\n.*\nend\n$/s);
  expect(report).toMatchObject({ leftOut: expect.any(Number) });
});
