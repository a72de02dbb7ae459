/** What every format promises. A member's test calls it with texts of its kind, sound and broken. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { formatOf } from './formats.ts';
import { type Document, type DocumentValue, plainValues, readDocument } from './index.ts';
import { replaceValue } from './replace-value.ts';
import type { Format, Scalar } from './types.ts';

export interface FormatUnderTest {
  readonly format: Format;
  /** Texts with what they say: each value's path, joined by dots, what it is, and its bytes. */
  readonly samples: readonly (readonly [
    text: string,
    values: readonly (readonly [path: string, value: Scalar, text: string])[],
  ])[];
  /** Texts that cannot be read. The reason may repeat single characters of them, no more. */
  readonly broken: readonly string[];
  /** Sound texts in every style that the format knows. */
  readonly texts: fc.Arbitrary<string>;
  /** What another reader of the format makes of a text: one value for each document. */
  oracle(text: string): unknown[];
  /** A sound text of that many values. */
  many(values: number): string;
  /** A sound text that is nested so deeply. */
  nested(levels: number): string;
}

/** Numbers that people write, texts that look like something else, and hostile ones. */
const SCALARS: fc.Arbitrary<Scalar> = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '1_000',
    '10s',
    '0x1f',
    '- a',
    'a: b',
    '#',
    '*a',
    '{',
    "it's",
  ),
);

export function read(path: string, text: string): Document {
  const reading = readDocument(path, text);
  if (!reading.ok) throw new Error(`line ${reading.line}: ${reading.why}`);
  return reading.document;
}

export function formatContract(name: string, under: FormatUnderTest): void {
  const { format } = under;
  const path = `folder/file.${format.extensions[0]}`;

  describe(`the contract of a format: ${name}`, () => {
    test('has a name, and is found by the endings of its files', () => {
      expect(format.name).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(format.extensions.length).toBeGreaterThan(0);
      for (const one of format.extensions) {
        expect(one).toMatch(/^[a-z0-9]+$/);
        expect(formatOf(`a.b/X.${one.toUpperCase()}`)).toBe(format);
      }
    });

    test.each(under.samples)('reads %j', (text, values) => {
      const found = read(path, text).values;
      expect(found.map((one) => [one.path.join('.'), one.value, one.text])).toEqual(values);
    });

    test('a value’s place cuts its bytes out, and its line is theirs', () => {
      fc.assert(
        fc.property(under.texts, (text) => {
          let last = 0;
          for (const { start, end, line, text: own } of read(path, text).values) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(text.slice(start, end)).toBe(own);
            expect(line).toBe(text.slice(0, start).split('\n').length);
            last = end;
          }
        }),
      );
    });

    test('says what another reader says', () => {
      fc.assert(
        fc.property(under.texts, (text) => {
          expect(plainValues(read(path, text))).toEqual(under.oracle(text));
        }),
      );
    });

    test('a value is replaced, every other byte and value stays', () => {
      let replaced = 0;
      fc.assert(
        fc.property(under.texts, fc.nat(), SCALARS, (text, pick, to) => {
          const document = read(path, text);
          const value = document.values[pick % Math.max(1, document.values.length)];
          if (value === undefined) return;
          const answer = replaceValue(document, value, to);
          if ('declined' in answer) {
            expect(answer.declined).toMatch(/^[A-Z][^\n]*\.$/);
            return;
          }
          replaced += 1;
          const next = answer.document.text;
          expect(next.slice(0, value.start)).toBe(text.slice(0, value.start));
          expect(next.slice(answer.value.end)).toBe(text.slice(value.end));
          const now = answer.value.value;
          expect(under.oracle(next)).toEqual(withValue(document, value, now));
          expectMeant(value, now, to);
        }),
        { numRuns: 500 },
      );
      expect(replaced).toBeGreaterThan(50);
    });

    test('a number is replaced by a number wherever one stands, and back again', () => {
      const numbers = fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.constantFrom(0.5, 12.75, 1e3));
      fc.assert(
        fc.property(under.texts, fc.nat(), numbers, (text, pick, to) => {
          const document = read(path, text);
          const all = document.values.filter(
            ({ value, tag }) => typeof value === 'number' && tag === null,
          );
          const value = all[pick % Math.max(1, all.length)];
          if (value === undefined || value.quantity === null) return;
          const there = replaceValue(document, value, to);
          if ('declined' in there) throw new Error(there.declined);
          expect(there.value.value).toBe(to);
          const back = replaceValue(there.document, there.value, value.quantity.amount);
          if ('declined' in back) throw new Error(back.declined);
          expect(plainValues(back.document)).toEqual(plainValues(document));
        }),
      );
    });

    test.each(under.broken)('refuses %j with its line, and does not repeat it', (text) => {
      const reading = readDocument(path, text);
      if (reading.ok) throw new Error('it was read');
      expect(reading.line).toBeGreaterThanOrEqual(1);
      expect(reading.line).toBeLessThanOrEqual(text.split('\n').length);
      expect(reading.why).toMatch(/^[a-z][^\n]*[^.\n]$/);
      for (const word of text.match(/secret\w*/g) ?? []) expect(reading.why).not.toContain(word);
    });

    test('any text is read or refused, and nothing is thrown', () => {
      const signs = fc.string({
        unit: fc.constantFrom(...'ab1:-?,[]{}#&*!|>\'"%@`~=<./\\ \t\r\n\u{FEFF}\u{1F600}\ud800'),
        maxLength: 60,
      });
      const damaged = fc
        .tuple(under.texts, fc.nat(), fc.nat(8), signs)
        .map(([text, at, cut, put]) => {
          const from = at % (text.length + 1);
          return text.slice(0, from) + put + text.slice(from + cut);
        });
      const texts = fc.oneof(signs, damaged, fc.string({ unit: anyCharacter, maxLength: 200 }));
      fc.assert(
        fc.property(texts, (text) => {
          const reading = readDocument(path, text);
          if (!reading.ok) return;
          const [value] = reading.document.values;
          if (value !== undefined) replaceValue(reading.document, value, 'x');
        }),
        { numRuns: 1000 },
      );
    });

    test('what is deep or large is refused, in time that grows with its size alone', () => {
      expect(read(path, under.nested(30)).places.length).toBeGreaterThan(0);
      for (const levels of [70, 1000, 20_000])
        expect(readDocument(path, under.nested(levels)).ok).toBe(false);
      expect(read(path, under.many(20_000)).values).toHaveLength(20_000);
      const few = readDocument(path, under.many(200), { valuesMax: 100 });
      expect(few).toMatchObject({
        ok: false,
        why: expect.stringContaining('more than 100 values'),
      });
      expect(readDocument(path, 'x'.repeat(1024 * 1024 + 1)).ok).toBe(false);
    });

    test('a value that is not the document’s own, and one of another kind, are declined', () => {
      const [text] = under.samples[0]!;
      const [one, other] = [read(path, text), read(path, text)];
      expect(replaceValue(one, other.values[0]!, 1)).toHaveProperty('declined');
      for (const value of one.values.filter((some) => typeof some.value === 'boolean'))
        expect(replaceValue(one, value, 7)).toHaveProperty('declined');
      for (const value of one.values)
        expect(replaceValue(one, value, null)).toHaveProperty('declined');
    });
  });
}

/** The document's values with another one at each place that shares it. */
function withValue(document: Document, value: DocumentValue, now: Scalar): unknown[] {
  const apart = plainValues(document).map((root) => ({ root: copied(root) }));
  for (const place of document.places.filter((one) => one.value === value)) {
    let holder: Record<string, unknown> = apart[place.document]!;
    let last = 'root';
    for (const { key } of place.steps) {
      holder = holder[last] as Record<string, unknown>;
      last = key;
    }
    Object.defineProperty(holder, last, {
      value: now,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return apart.map(({ root }) => root);
}

/** Aliases share one object; in a copy each place has its own. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)]));
}

function expectMeant(before: DocumentValue, now: Scalar, to: Scalar): void {
  if (before.value !== null) expect(typeof now).toBe(typeof before.value);
  if (typeof to === typeof now) expect(now === to).toBe(true);
}
