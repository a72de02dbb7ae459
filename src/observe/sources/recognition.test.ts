/** Every recogniser on files of every format, and on files that are none. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { SOURCES } from '../sources.ts';
import { KNOWN_SAMPLES } from './samples.test-support.ts';

function kindsOf(sample: { path: string; head: string }, isWhole = true) {
  return SOURCES.map((kind) => ({
    kind: kind.kind,
    found: kind.recognise?.({ ...sample, isWhole }),
  }))
    .filter(({ found }) => found !== undefined)
    .map(({ kind, found }) => ({ kind, certainty: found!.certainty, what: found!.what }))
    .sort((a, b) => b.certainty - a.certainty);
}

describe('OBS-2 the format of a file is found by its content', () => {
  test('there are enough examples', () => {
    expect(KNOWN_SAMPLES.length).toBeGreaterThanOrEqual(60);
    const kinds = new Set(KNOWN_SAMPLES.map(({ kind }) => kind));
    for (const { kind, recognise } of SOURCES)
      if (recognise !== undefined) expect(kinds).toContain(kind);
  });

  test.each(KNOWN_SAMPLES.filter(({ kind }) => kind !== null))(
    '$name is of the kind $kind',
    (sample) => {
      const [first, second] = kindsOf(sample);
      expect(first).toMatchObject({ kind: sample.kind });
      expect(first!.certainty).toBeGreaterThan(0.5);
      expect(first!.certainty).toBeLessThanOrEqual(1);
      expect(first!.certainty).toBeGreaterThan(second?.certainty ?? 0);
    },
  );

  test.each(KNOWN_SAMPLES.filter(({ kind }) => kind === null))(
    '$name is no telemetry',
    (sample) => {
      expect(kindsOf(sample).filter(({ certainty }) => certainty > 0.5)).toEqual([]);
    },
  );

  test('what is cut short is of its own kind or of none', () => {
    for (const { name, path, head, kind } of KNOWN_SAMPLES)
      for (const share of [0.3, 0.5, 0.7, 0.9]) {
        const cut = head.slice(0, Math.floor(share * head.length));
        const [first] = kindsOf({ path, head: cut }, false).filter(
          ({ certainty }) => certainty > 0.5,
        );
        if (first !== undefined && kind !== null) expect([kind, name]).toEqual([first.kind, name]);
        if (kind === null) expect([first, name]).toEqual([undefined, name]);
      }
  });

  test('whatever a file holds, nothing throws, and it takes little time', () => {
    const mangled = fc
      .tuple(
        fc.constantFrom(...KNOWN_SAMPLES),
        fc.nat(),
        fc.string({ unit: anyCharacter, maxLength: 8 }),
      )
      .map(
        ([{ head }, at, put]) =>
          head.slice(0, at % (head.length + 1)) + put + head.slice(at % (head.length + 1)),
      );
    const any = fc.oneof(mangled, fc.json(), fc.string({ unit: anyCharacter, maxLength: 400 }));
    fc.assert(
      fc.property(any, fc.boolean(), (head, isWhole) => {
        for (const { certainty, what } of kindsOf({ path: '/data/x', head }, isWhole)) {
          expect(certainty).toBeGreaterThan(0);
          expect(what).toMatch(/^\S.{2,80}$/);
        }
      }),
      { numRuns: 300 },
    );
    const started = process.cpuUsage().user;
    for (const sign of [
      '{',
      '[',
      '"',
      '<',
      ',',
      'a,',
      '\n',
      '{"a":',
      '[1,',
      ' ',
      '2026-11-17 09:12:01 ',
      '<a ',
      'a=b ',
    ])
      kindsOf({ path: '/x', head: sign.repeat(65_536).slice(0, 65_536) }, false);
    expect(process.cpuUsage().user - started).toBeLessThan(8_000_000);
  });
});
