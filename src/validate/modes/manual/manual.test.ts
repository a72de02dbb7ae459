import { expect, test } from 'vitest';
import type { ProposalType } from '../../../facts/index.ts';
import { choiceOf } from '../../choice.ts';
import { MODES } from '../../modes.ts';
import type { ValidatePorts } from '../../types.ts';
import { modeCase, SETTINGS, scriptedReplay } from '../../validate.test-support.ts';
import { manual } from './manual.ts';

const TESTS = { settings: { ...SETTINGS, test: ['npm', 'test'] } };
const REPLAY = { replay: scriptedReplay(() => true) };

const EVAL = { settings: { ...SETTINGS, eval: ['e'], evalReport: 'r.json' } };

const change = async (type: ProposalType, risk: 'low' | 'medium') => {
  const { change: one, ports } = await modeCase({ 'a.yaml': 'a: 1\n' }, { 'a.yaml': 'a: 2\n' });
  const content = { ...one.dossier.content, type, risk };
  return { one: { ...one, dossier: { ...one.dossier, content } }, ports };
};

test.each<[ProposalType, 'low' | 'medium', Partial<ValidatePorts>, string]>([
  ['constant_tune', 'low', TESTS, 'unit'],
  ['constant_tune', 'low', REPLAY, 'replay'],
  ['constant_tune', 'low', { ...TESTS, ...REPLAY }, 'unit replay'],
  ['constant_tune', 'low', {}, 'manual'],
  ['constant_tune', 'medium', TESTS, 'unit manual'],
  ['formula_change', 'low', TESTS, 'unit manual'],
  ['formula_change', 'low', REPLAY, 'replay'],
  ['protocol_update', 'low', {}, 'manual'],
  ['skill_improve', 'low', REPLAY, 'replay'],
  ['behavior_fix', 'low', TESTS, 'unit manual'],
  ['behavior_fix', 'low', REPLAY, 'replay'],
  ['behavior_fix', 'low', EVAL, 'eval'],
  ['meta', 'low', REPLAY, 'replay manual'],
])('VAL-3 a %s of %s risk is proven by what is configured', async (type, risk, more, expected) => {
  const { one, ports } = await change(type, risk);
  const applying = MODES.filter(
    ({ applies }) => applies?.(one, { ...ports, ...more }) === true,
  ).map(({ name }) => name);
  expect(applying.join(' ')).toBe(expected);
});

test.each([
  [
    'constant_tune',
    'low',
    'unit',
    'unit',
    'A constant_tune of low risk is to be proven by the target’s own tests.',
  ],
  [
    'constant_tune',
    'medium',
    'ab',
    'replay',
    'A constant_tune of medium risk is to be proven by an A/B trial, which Hone cannot run yet: a replay of recorded sessions takes its place.',
  ],
  [
    'behavior_fix',
    'low',
    'canary',
    'replay',
    'A behavior_fix of low risk is to be proven by a canary, which Hone cannot run yet: a replay of recorded sessions takes its place.',
  ],
  [
    'skill_improve',
    'high',
    'shadow',
    'replay',
    'A skill_improve of high risk is to be proven by a replay of recorded sessions.',
  ],
  ['meta', 'low', 'manual', 'manual', 'A meta of low risk is to be proven by a person.'],
] as const)('VAL-3 a %s of %s risk wants %s and is given %s', (type, risk, wanted, taken, why) => {
  const all = { tests: true, evaluation: true, replay: true };
  expect(choiceOf({ type, risk }, all)).toEqual({ wanted, taken, why });
});

test('VAL-3 without a replay an evaluation stands in, without either a person', () => {
  const wanted = { type: 'formula_change', risk: 'low' } as const;
  const only = { tests: true, evaluation: true, replay: false };
  expect(choiceOf(wanted, only)).toMatchObject({ taken: 'eval' });
  expect(choiceOf(wanted, { ...only, evaluation: false })).toEqual({
    wanted: 'shadow',
    taken: 'manual',
    why: 'A formula_change of low risk is to be proven by a replay of recorded sessions, which is not configured, and nothing else here can: a person decides.',
  });
});

test('says what to set, and never passes', async () => {
  const { one, ports } = await change('formula_change', 'low');
  const says = async (more: Partial<ValidatePorts>) =>
    manual.judge(one, { ...ports, ...more }, new AbortController().signal);
  expect(await says({})).toMatchObject({
    verdict: 'inconclusive',
    improvesTarget: null,
    reasons: [expect.stringContaining('set validate.test or validate.replay')],
  });
  expect(await says(TESTS)).toMatchObject({
    verdict: 'inconclusive',
    reasons: [expect.stringContaining('a formula_change of low risk helps: set validate.replay')],
  });
});
