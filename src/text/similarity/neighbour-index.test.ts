import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NeighbourIndex, readFailure, similarity } from './index.ts';
import { featuresOf } from './neighbour-index.ts';

const MESSAGES = [
  'connect timeout to {} after 30s',
  'read timeout from {} after 30s',
  'permission denied: {}',
  'file {} not found',
  'disk quota exceeded for {}',
  'memory quota exceeded for {}',
  'certificate of {} has expired',
  'token of {} was revoked',
  'panic: index out of range in {}',
  'invalid JSON from {}: unexpected end of input',
];

function filled(message: string, name: number): string {
  return message.replace('{}', `/srv/item-${name}/data.bin`);
}

function library(): NeighbourIndex {
  const index = new NeighbourIndex();
  for (const [place, message] of MESSAGES.entries()) index.add(`m${place}`, filled(message, place));
  return index;
}

describe('the neighbour index', () => {
  it('finds each pattern under other names', () => {
    const index = library();
    for (const [place, message] of MESSAGES.entries()) {
      const [best] = index.nearest(filled(message, 99));
      expect(best?.id).toBe(`m${place}`);
      expect(best?.comparison.same).toBe(true);
    }
  });

  it('finds what comparing with all would find', () => {
    const index = library();
    const entries = MESSAGES.map((message, place) => ({
      id: `m${place}`,
      text: filled(message, place),
    }));
    for (const query of [
      ...MESSAGES.map((message) => filled(message, 5)),
      'timeout',
      'quota exceeded',
      'index',
    ]) {
      const all = entries
        .map(({ id, text }) => ({ id, score: similarity(query, text).score }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      const best = index.nearest(query, { limit: 1, scoreMin: 0.6 })[0];
      if (all[0]!.score >= 0.8) expect(best?.id).toBe(all[0]!.id);
      if (best !== undefined)
        expect(best.comparison.score).toBeCloseTo(all.find(({ id }) => id === best.id)!.score, 10);
    }
  });

  it('answers the same whatever order the patterns came in, and after saving', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          MESSAGES.map((_, place) => place),
          { minLength: 10 },
        ),
        (order) => {
          const index = new NeighbourIndex();
          for (const place of order) index.add(`m${place}`, filled(MESSAGES[place]!, place));
          const loaded = NeighbourIndex.load(JSON.parse(JSON.stringify(index.save())));
          const expected = library().nearest('timeout after 3s');
          expect(index.nearest('timeout after 3s')).toEqual(expected);
          expect(loaded.nearest('timeout after 3s')).toEqual(expected);
          expect(loaded.save()).toEqual(library().save());
        },
      ),
      { numRuns: 30 },
    );
  });

  it('behaves as a map under adding, replacing and removing', () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      place: fc.nat({ max: MESSAGES.length - 1 }),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const index = new NeighbourIndex();
        const model = new Map<string, number>();
        for (const { id, place, remove } of steps) {
          if (remove) expect(index.remove(id)).toBe(model.delete(id));
          else {
            index.add(id, filled(MESSAGES[place]!, 1));
            model.set(id, place);
          }
        }
        expect(index.size).toBe(model.size);
        for (const [place, message] of MESSAGES.entries()) {
          const ids = index.nearest(filled(message, 2), { scoreMin: 0.8 }).map(({ id }) => id);
          expect(ids).toEqual(
            [...model]
              .filter(([, known]) => known === place)
              .map(([id]) => id)
              .sort(),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('compares a bounded number of patterns however many are alike', () => {
    const index = new NeighbourIndex();
    for (let count = 0; count < 3_000; count += 1)
      index.add(`x${count}`, filled(MESSAGES[0]!, count));
    for (let count = 0; count < 3_000; count += 1)
      index.add(
        `y${count}`,
        `connect timeout reason ${'abcdefghij'[count % 10]}${'klmnopqrst'[((count / 10) % 10) | 0]}${'uvwxyz'[((count / 100) % 6) | 0]}word`,
      );
    expect(index.nearest(filled(MESSAGES[0]!, 7))[0]?.comparison.same).toBe(true);
    expect(index.comparisons).toBeLessThanOrEqual(128);
  });

  it('answers for an empty index and an empty failure', () => {
    expect(new NeighbourIndex().nearest('anything')).toEqual([]);
    const index = new NeighbourIndex();
    index.add('empty', '');
    expect(index.nearest('')[0]?.id).toBe('empty');
    expect(featuresOf(readFailure(''))).toEqual(['t:']);
  });

  it.each([
    null,
    7,
    {},
    { version: 2, patterns: [] },
    { version: 1, patterns: [{ id: 1 }] },
    { version: 1, patterns: [{ id: 'a', reading: {} }] },
  ])('refuses a saved state it cannot read: %j', (saved) => {
    expect(() => NeighbourIndex.load(saved)).toThrowError(
      expect.objectContaining({ code: 'state_unreadable' }),
    );
  });
});
