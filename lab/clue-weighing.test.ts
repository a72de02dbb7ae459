import { expect, test } from 'vitest';
import type { Clues } from '../src/diagnose/index.ts';
import { figuresOf, type Worlds, weighClues } from './clue-weighing.ts';

const alone = { cure: 0, copy: 'x' };

/** As many worlds with one cause each. */
const worlds = (count: number, clues: Clues, right: number): Worlds =>
  Array.from({ length: count }, (_, at) => [
    { id: 'p', causes: [{ place: 'x', clues, among: alone, isRight: at < right }] },
  ]);

const nats = (all: Worlds, family: string, clue: string) => weighClues(all).nats[family]?.[clue];

test('clues that are mostly right weigh for a cause, by how often they were met', () => {
  const all = [
    ...worlds(40, { how: 'good strong' }, 36),
    ...worlds(40, { how: 'bad strong' }, 8),
    ...worlds(1, { how: 'rare strong' }, 1),
  ];
  expect(nats(all, 'how', 'good strong')).toBeGreaterThan(0.7);
  expect(nats(all, 'how', 'bad strong')).toBeLessThan(-0.7);
  expect(Math.abs(nats(all, 'how', 'rare strong')!)).toBeLessThan(0.4);
});

test('two clues that always come together share what they say', () => {
  const base = worlds(30, { how: 'a strong' }, 20);
  const alone = nats(
    [...base, ...worlds(30, { how: 'a strong', tail: 'thin' }, 3)],
    'tail',
    'thin',
  )!;
  const both = worlds(30, { how: 'a strong', tail: 'thin', when: 'files in bursts' }, 3);
  const shared = nats([...base, ...both], 'tail', 'thin')!;
  expect(alone).toBeLessThan(-1);
  expect(shared).toBeGreaterThan(0.75 * alone);
});

test('a clue that can only speak against a cause never speaks for it, and none decides alone', () => {
  const odd = [...worlds(30, {}, 10), ...worlds(30, { tail: 'gap' }, 30)];
  expect(nats(odd, 'tail', 'gap')).toBe(0);
  const clear = [...worlds(300, { how: 'a strong' }, 300), ...worlds(300, {}, 10)];
  expect(nats(clear, 'how', 'a strong')).toBeCloseTo(Math.log(10));
});

test('a cause that is looked at often counts once', () => {
  const cause = { place: 'x', clues: { how: 'a strong' }, among: alone, isRight: false };
  const look = { id: 'p', causes: [cause] };
  const once = [...worlds(20, { how: 'a strong' }, 12), [look]];
  const often = [...worlds(20, { how: 'a strong' }, 12), Array.from({ length: 50 }, () => look)];
  expect(weighClues(often).bias).toBeCloseTo(weighClues(once).bias);
});

test('copies of a value are one cause, right if one of them is, and what competed with nobody is none', () => {
  const clues = { how: 'a strong' };
  const copy = (place: string, cure: number, isRight: boolean) => ({
    ...{ place, clues, isRight },
    among: { cure, copy: 'said' },
  });
  const layer = { place: 'z', clues: { how: 'b weak' }, among: null, isRight: false };
  const world = [{ id: 'p', causes: [copy('old', 0, false), copy('read', 1, true), layer] }];
  const copied: Worlds = Array.from({ length: 20 }, () => world);
  const plain = worlds(20, clues, 20);
  expect(weighClues(copied)).toEqual(weighClues(plain));
  const weights = weighClues(plain);
  expect(figuresOf(copied, weights)).toEqual(figuresOf(plain, weights));
  expect(figuresOf(copied, weights)).toMatchObject({ count: 20, rightSure: 20, wrongSure: 0 });
});

test('weights are judged on worlds apart: what they state surely, and whether it was right', () => {
  const weights = weighClues([
    ...worlds(60, { how: 'good strong' }, 57),
    ...worlds(60, { how: 'bad strong' }, 6),
  ]);
  const apart = [
    ...worlds(10, { how: 'good strong' }, 9),
    ...worlds(10, { how: 'bad strong' }, 1),
    ...worlds(3, { how: 'good strong' }, 0).map((world) =>
      world.map((look) => ({
        ...look,
        causes: look.causes.map((cause) => ({ ...cause, isRight: undefined })),
      })),
    ),
  ];
  const figures = figuresOf(apart, weights);
  expect(figures).toMatchObject({ count: 20, rightSure: 9, wrongSure: 1 });
  expect(figures.auroc).toBeCloseTo(0.9);
  expect(figures.brier).toBeLessThan(0.13);
});
