import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

interface Thing {
  readonly name: string;
  readonly worth: number;
  readonly sources: readonly string[];
  readonly agent: string;
}

const share = (things: readonly Thing[], max: number) =>
  fairShare(things, {
    max,
    worth: ({ worth }) => worth,
    owners: [({ sources }) => sources, ({ agent }) => [agent]],
  });

const named = (things: readonly Thing[]) => things.map(({ name }) => name);
const flood = (source: string, agents: number) =>
  Array.from({ length: 500 }, (_, i) => ({
    name: `${source}-${i}`,
    worth: 1_000,
    sources: [source],
    agent: `agent-${i % agents}`,
  }));

describe('a fair share', () => {
  it('is everything, the largest first, where there is room', () => {
    const things = [1, 3, 2].map((worth) => ({
      name: `${worth}`,
      worth,
      sources: ['a'],
      agent: 'x',
    }));
    expect(named(share(things, 3).kept)).toEqual(['3', '2', '1']);
    expect(share(things, 3).folded).toEqual([]);
    expect(named(share(things, 2).folded)).toEqual(['1']);
  });

  it.each([1, 7, 500])('leaves room for others beside one source with %d agents', (agents) => {
    const real = { name: 'real', worth: 3, sources: ['other'], agent: 'worker' };
    expect(named(share([...flood('loud', agents), real], 20).kept)).toContain('real');
  });

  it('leaves room for an agent beside another of the same source', () => {
    const real = { name: 'real', worth: 3, sources: ['loud'], agent: 'worker' };
    expect(named(share([...flood('loud', 1), real], 20).kept)).toContain('real');
  });

  it('is not lost by somebody else telling of the same thing', () => {
    const real = { name: 'real', worth: 3, sources: ['loud', 'other'], agent: 'agent-0' };
    expect(named(share([...flood('loud', 1), real], 20).kept)).toContain('real');
  });

  it('keeps as many as there is room for, each once, and drops none unsaid', () => {
    const thing = fc.record({
      name: fc.uuid(),
      worth: fc.nat(9),
      sources: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
      agent: fc.constantFrom('x', 'y'),
    });
    fc.assert(
      fc.property(fc.array(thing, { maxLength: 30 }), fc.nat(30), (things, max) => {
        const { kept, folded } = share(things, max);
        expect(kept).toHaveLength(Math.min(max, things.length));
        expect(new Set([...kept, ...folded])).toEqual(new Set(things));
        expect(kept.length + folded.length).toBe(things.length);
      }),
    );
  });
});
