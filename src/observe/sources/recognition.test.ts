/** Every recogniser on files of every format, and on files that are none. */
import { describe, expect, test } from 'vitest';
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
});
