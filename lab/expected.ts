/** Expectations of both versions in one form. Pure. */
import type {
  Expectation,
  FixExpected,
  Outcome,
  RateExpected,
  TriedPlace,
} from './expect-schema.ts';
import type { Place } from './places.ts';

interface Expecting {
  readonly expect: Expectation | readonly Expectation[];
}

export function expectationsOf({ expect }: Expecting): readonly Expectation[] {
  return Array.isArray(expect) ? (expect as readonly Expectation[]) : [expect as Expectation];
}

/** What a scenario counts as where several are expected: what asks most of Hone. */
export function mainOutcome(scenario: Expecting): Outcome {
  const outcomes = expectationsOf(scenario).map(({ outcome }) => outcome);
  const order = ['fixed', 'taken_back', 'told', 'untouched'] as const;
  return order.find((one) => outcomes.includes(one))!;
}

export type WantedSetting = NonNullable<FixExpected['settings']>[number];

/** The one of version 1 is the first. */
export function wantedSettings({ file, path, direction, settings }: FixExpected): WantedSetting[] {
  const own = file === undefined || path === undefined ? [] : [{ file, path, direction }];
  return [...own, ...(settings ?? [])];
}

export function wantedRates(expected: FixExpected): RateExpected[] {
  const { agent, tool, error_rate_below: below, rates } = expected;
  const own = below === undefined ? [] : [{ of: 'calls' as const, agent, tool, below }];
  return [...own, ...(rates ?? [])];
}

/** Where a proposal that mends this changes something. */
export function rightPlaces(expected: Expectation): Place[] {
  if (expected.outcome !== 'fixed') return [];
  const { texts = [], places = [] } = expected;
  return [...wantedSettings(expected), ...texts.map(({ file }) => ({ file })), ...places];
}

/** Where a change is no mistake as long as it does not stay. */
export function triedPlaces(expected: Expectation): readonly TriedPlace[] {
  if (expected.outcome === 'fixed') return [];
  return (expected.outcome === 'taken_back' ? expected.places : expected.may_try) ?? [];
}
