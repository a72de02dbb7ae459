import { expect, test } from 'vitest';
import type { FailureGroup } from '../../../facts/index.ts';
import { diagnosed, diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import { examples, group, overTheDay, WINDOW } from '../../failures.test-support.ts';
import { withLikeNames } from '../../like-names.ts';
import { vainTries } from './vain-tries.ts';

const tries = (chains: readonly [failed: number, count: number][]) => ({
  ...{ fromMs: WINDOW.fromMs, bins: [] },
  chains: chains.map(([failed, count]) => ({ failed, count })),
});
/** One call in five cannot be read, at none of its eight tries. */
const VAIN: Partial<FailureGroup> = {
  ...{ errorCode: 'unreadable', template: 'cannot be read', failures: 1600, calls: 4000 },
  examples: examples('sample 7 cannot be read', overTheDay(20)),
  tries: tries([
    [1, 3],
    [8, 200],
  ]),
};
/** And at busy hours others are turned away. */
const REFUSED: Partial<FailureGroup> = {
  ...{ errorCode: 'no_mill', template: 'no mill is free', failures: 300, calls: 2400 },
  examples: examples('no mill is free', overTheDay(20)),
};
const FILES = { 'agents/researcher.yaml': 'web_search: { tries: 8 }\n' };

diagnoserContract({
  diagnoser: vainTries,
  explains: [
    { groups: [VAIN, REFUSED], files: FILES },
    { groups: [VAIN, REFUSED], files: { 'agents/researcher.yaml': 'web_search: { goes: 8 }\n' } },
  ],
  passesOver: [
    // Nobody is worse off for them.
    { groups: [VAIN], files: FILES },
    // Even where they are most of what the tool does, fewer would cure nothing.
    { groups: [{ ...VAIN, calls: 2400 }], files: FILES },
    // The same failure in other words.
    { groups: [VAIN, { ...REFUSED, errorCode: 'unreadable' }], files: FILES },
    { groups: [VAIN, { ...REFUSED, failures: 5 }], files: FILES },
    { groups: [VAIN, REFUSED] },
    { groups: [{ ...VAIN, tries: null }, REFUSED], files: FILES },
    // Further tries succeed as often as first ones.
    {
      groups: [
        {
          ...VAIN,
          tries: tries([
            [1, 160],
            [2, 30],
            [8, 4],
          ]),
        },
        REFUSED,
      ],
      files: FILES,
    },
    // Nearly everything fails: the tool is ill.
    { groups: [{ ...VAIN, calls: 1700 }, REFUSED], files: FILES },
    // Hardly any call is spared.
    { groups: [{ ...VAIN, calls: 40_000 }, REFUSED], files: FILES },
    // Two tries are not many.
    {
      groups: [{ ...VAIN, tries: tries([[3, 200]]) }, REFUSED],
      files: { 'agents/researcher.yaml': 'web_search: { tries: 3 }\n' },
    },
    // The setting is not what is seen.
    { groups: [VAIN, REFUSED], files: { 'agents/researcher.yaml': 'web_search: { tries: 5 }\n' } },
  ],
});

test('one further try is kept, as the setting counts them', () => {
  const aimOf = (key: string, value: number) => {
    const files = { 'agents/researcher.yaml': `web_search: { ${key}: ${value} }\n` };
    const { failure, evidence } = diagnosed({ groups: [VAIN, REFUSED], files });
    const [cause] = vainTries.explain(failure, evidence);
    return cause?.subject.kind === 'setting' ? cause.subject.aim?.value : undefined;
  };
  expect(aimOf('tries', 8)).toBe(2);
  expect(aimOf('retries', 7)).toBe(1);
});

test('of several numbers without a word it is the one that is called like the tool', () => {
  const placesOf = (text: string) => {
    const files = { 'agents/researcher.yaml': text };
    const { failure, evidence } = diagnosed({ groups: [VAIN, REFUSED], files });
    const settings = withLikeNames(evidence.settings, [group(VAIN)]);
    return vainTries.explain(failure, { ...evidence, settings }).map(({ subject }) => subject);
  };
  expect(placesOf('searches: { again: 7 }\nclasses: 8\n')).toMatchObject([
    { kind: 'setting', path: ['searches', 'again'], aim: { value: 1 } },
  ]);
  // Where both are, or none is, nothing says which.
  expect(placesOf('searches: { again: 7, classes: 8 }\n')).toEqual([]);
  expect(placesOf('other: { again: 7 }\nclasses: 8\n')).toEqual([]);
});
