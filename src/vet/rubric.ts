/**
 * The vetting rubric, as data. Every check runs on every proposal and gives its reasons; a change to
 * a check that could change an outcome raises the version.
 *
 * Only what judges quality obeys the switch `vetting`. What enforces a rule of the constitution holds in
 * every mode, and so do two checks without a rule: the type, because the tier is read from it, and what is
 * hidden, because the person who decides would not see it.
 */
import { checkCategory, checkComplete, checkDeclared, checkType } from './check-complete.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkHidden } from './check-hidden.ts';
import { checkOwnGate, checkReversible, checkScope } from './check-scope.ts';
import { checkSecrets } from './check-secrets.ts';
import type { CheckOutcome, CheckResult, Rubric } from './types.ts';

export const RUBRIC: Rubric = {
  version: 4,
  checks: [
    {
      name: 'complete',
      rule: null,
      obeysSwitch: true,
      asks: 'Is every part there, with content?',
      run: checkComplete,
    },
    {
      name: 'declared',
      rule: 6,
      asks: 'Does the diff touch exactly the declared files?',
      run: checkDeclared,
    },
    { name: 'type', rule: null, asks: 'Is its type known, and does it fit?', run: checkType },
    {
      name: 'category',
      rule: null,
      obeysSwitch: true,
      asks: 'May its proposer propose this category?',
      run: checkCategory,
    },
    { name: 'scope', rule: 6, asks: 'Is it small enough?', run: checkScope },
    { name: 'evidence', rule: 5, asks: 'Do real events back it?', run: checkEvidence },
    { name: 'reversible', rule: 4, asks: 'Can it be undone?', run: checkReversible },
    { name: 'own_gate', rule: 10, asks: 'Does it leave its judges alone?', run: checkOwnGate },
    { name: 'secrets', rule: 11, asks: 'Is it free of secrets?', run: checkSecrets },
    { name: 'hidden', rule: null, asks: 'Does it hide nothing?', run: checkHidden },
  ],
};

/** Any failed check fails it; else any that holds, holds it. */
export function verdictOf(results: readonly Pick<CheckResult, 'outcome'>[]): CheckOutcome {
  const outcomes = results.map(({ outcome }) => outcome);
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.includes('held') ? 'held' : 'passed';
}
