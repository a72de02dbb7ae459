import { expect, test } from 'vitest';
import { MODES } from '../../modes.ts';
import type { ValidatePorts } from '../../types.ts';
import { modeCase, SETTINGS, scriptedReplay } from '../../validate.test-support.ts';
import { manual } from './manual.ts';

const TESTS = { settings: { ...SETTINGS, test: ['npm', 'test'] } };
const REPLAY = { replay: scriptedReplay(() => true) };

const change = async (type: 'constant_tune' | 'formula_change', risk: 'low' | 'medium') => {
  const { change: one, ports } = await modeCase({ 'a.yaml': 'a: 1\n' }, { 'a.yaml': 'a: 2\n' });
  const content = { ...one.dossier.content, type, risk };
  return { one: { ...one, dossier: { ...one.dossier, content } }, ports };
};

test.each<['constant_tune' | 'formula_change', 'low' | 'medium', Partial<ValidatePorts>, string]>([
  ['constant_tune', 'low', TESTS, 'unit'],
  ['constant_tune', 'low', REPLAY, 'replay'],
  ['constant_tune', 'low', { ...TESTS, ...REPLAY }, 'unit replay'],
  ['constant_tune', 'low', {}, 'manual'],
  ['constant_tune', 'medium', TESTS, 'unit manual'],
  ['formula_change', 'low', TESTS, 'unit manual'],
  ['formula_change', 'low', REPLAY, 'replay'],
])('VAL-3 a %s of %s risk is proven by what is configured', async (type, risk, more, expected) => {
  const { one, ports } = await change(type, risk);
  const applying = MODES.filter(
    ({ applies }) => applies?.(one, { ...ports, ...more }) === true,
  ).map(({ name }) => name);
  expect(applying.join(' ')).toBe(expected);
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
