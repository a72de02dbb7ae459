/** Runs a decoder over payloads as the room does, without the room. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import type { Json } from '../../base/index.ts';
import type { Event } from '../../facts/index.ts';
import { outOfBounds } from '../check-event.ts';
import type { Decoded, Decoder, StreamAbout } from '../types.ts';
import { KNOWN_SAMPLES } from './samples.test-support.ts';

export const MODIFIED_MS = Date.UTC(2026, 10, 17, 9, 30);
export const ABOUT: StreamAbout = { name: 'shop.json', modifiedMs: MODIFIED_MS };

/** Events that are within bounds, and refusals as they are. */
export function decoded<S extends Json>(
  decoder: Decoder<S>,
  payloads: readonly string[],
  about: StreamAbout = ABOUT,
): (Event | Decoded)[] {
  let state = decoder.start;
  const records: Decoded[] = [];
  for (const payload of payloads) {
    const step = decoder.decode(payload, state, about);
    records.push(...step.records);
    ({ state } = step);
  }
  return records.map((one) => {
    if (!one.ok) return one;
    expect(outOfBounds(one.event, MODIFIED_MS + 86_400_000)).toBeUndefined();
    return one.event;
  });
}

export function knownHead(name: string): string {
  const found = KNOWN_SAMPLES.find((one) => one.name === name);
  expect(found, name).toBeDefined();
  return found!.head;
}

/** Whatever a payload is, a decoder gives records and a state that is small JSON, and repeats no value. */
export function survivesAnything<S extends Json>(
  decoder: Decoder<S>,
  heads: readonly string[],
): void {
  const mangled = fc
    .tuple(
      fc.constantFrom(...heads),
      fc.nat(),
      fc.nat(),
      fc.string({ unit: anyCharacter, maxLength: 5 }),
    )
    .map(([head, from, length, put]) => {
      const at = from % (head.length + 1);
      return head.slice(0, at) + put + head.slice(at + (length % 20));
    });
  const shaped = fc.tuple(fc.constantFrom(...heads), fc.jsonValue()).map(([head, value]) => {
    // A value of another type in each place that has one.
    try {
      const keys = Object.keys(JSON.parse(head.split('\n')[0]!));
      return JSON.stringify(Object.fromEntries(keys.map((key) => [key, value])));
    } catch {
      return JSON.stringify(value);
    }
  });
  const payload = fc.oneof(
    mangled,
    shaped,
    fc.json(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(...heads),
  );
  fc.assert(
    fc.property(
      fc.array(payload, { maxLength: 6 }),
      fc.option(fc.constant(MODIFIED_MS)),
      (payloads, modifiedMs) => {
        let state = decoder.start;
        for (const one of payloads) {
          const step = decoder.decode(one, state, { name: 'a.json', modifiedMs });
          expect(Array.isArray(step.records)).toBe(true);
          ({ state } = step);
          expect(JSON.parse(JSON.stringify(state))).toEqual(state);
          expect(JSON.stringify(state).length).toBeLessThan(64 * 1024);
        }
      },
    ),
    { numRuns: 200 },
  );
}
