/** One label for each miss, so that misses can be counted by what went wrong. Pure. */
import type { Expectation } from './expect-schema.ts';
import { wantedRates } from './expected.ts';
import type { Change, JudgeInput, Verdict } from './judge.ts';

const MISS_LABELS = [
  'not seen',
  'too late',
  'wrong trigger',
  'wrong place',
  'wrong direction',
  'wrong size',
  'not let through',
  'acted on outside',
  'acted too early',
  'harm missed (own)',
  'harm missed (partner)',
  'harm missed (late)',
  'right change taken back',
  'not told',
  'not finished',
] as const;
export type MissLabel = (typeof MISS_LABELS)[number];

const DAY_MS = 86_400_000;

export function labelOf(input: JudgeInput, expected: Expectation, verdict: Verdict): MissLabel {
  switch (expected.outcome) {
    case 'fixed':
      return fixLabel(input, verdict, isToldOf(input, expected));
    case 'untouched':
      return hasEpisode(input) ? 'acted on outside' : 'acted too early';
    case 'told':
      return verdict.why === 'nobody was told' ? 'not told' : 'acted on outside';
    case 'taken_back':
      return harmLabel(input);
  }
}

/** Whether this failure was seen, and something else was thought to be behind it. */
function isToldOf(
  { told }: JudgeInput,
  expected: Extract<Expectation, { outcome: 'fixed' }>,
): boolean {
  const rates = wantedRates(expected);
  const names = rates.flatMap(({ agent, tool, task }) => [agent, tool, task]);
  return told.some(({ agent, tool, words }) =>
    names.some(
      (name) => name !== undefined && [agent, tool, ...words.split(/[\s,;:()"]+/)].includes(name),
    ),
  );
}

function fixLabel({ proposals }: JudgeInput, { why }: Verdict, isTold: boolean): MissLabel {
  const right = proposals.filter(({ isRight }) => isRight === true);
  if (right.some(({ state }) => state === 'reverted')) return 'right change taken back';
  if (why.startsWith('fixed only after')) return 'too late';
  if (why.includes('still fails') || why.includes('out of range')) return 'wrong size';
  if (proposals.length === 0) return isTold ? 'wrong trigger' : 'not seen';
  if (right.length > 0)
    return right.some(({ state }) => state === 'pending') ? 'too late' : 'not let through';
  return proposals.some(({ isRightPlace }) => isRightPlace) ? 'wrong direction' : 'wrong place';
}

/** Whether something outside was ill at some time: then a change answers that, by mistake. */
function hasEpisode({ scenario: { world, traffic } }: JudgeInput): boolean {
  return (
    traffic.changes.length > 0 ||
    (world.credentials ?? []).length > 0 ||
    Object.values(world.tools).some(({ changes }) => changes.length > 0)
  );
}

function harmLabel({ harmed, proposals, changes, scenario, endMs }: JudgeInput): MissLabel {
  const lastMs = lastOf(changes).atMs;
  if (endMs - lastMs > 2 * DAY_MS) return 'harm missed (late)';
  const owner = scenario.traffic.agents.find(({ file, settings }) =>
    proposals.some(({ files }) =>
      files.some((one) => one === file || JSON.stringify(settings ?? '').includes(`"${one}"`)),
    ),
  );
  return harmed !== null && owner?.agent !== harmed.agent
    ? 'harm missed (partner)'
    : 'harm missed (own)';
}

function lastOf(changes: readonly Change[]): Change {
  return changes.at(-1)!;
}
