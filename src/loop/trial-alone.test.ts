import { expect, test } from 'vitest';
import { makeContent } from '../../test/proposals.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { patternParts } from '../diagnose/index.ts';
import type { Pattern, ProposalState } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { trialHint, withTrialAlone } from './trial-alone.ts';

const open = storePerTest('memory');

const pattern = (id: string, tool: string): Pattern => ({
  ...{ id, title: 'It times out', kind: 'timeout', template: 'timed out', errorCode: '' },
  ...{ agent: 'researcher', tool, occurrences: 100, calls: 1000, sessions: 10 },
  ...{ firstAtMs: 0, lastAtMs: 1, score: 1, impact: 0.1, noise: 1, severity: 'medium' },
  ...{ layer: 'settings', confidence: 0.3, reasons: ['It fails.'], evidence: ['event:e1'] },
  ...{ subject: { kind: 'unknown' }, failedLatency: null, succeededLatency: null },
});
const trial = { cutOffMs: 800, timesMax: 4, ifLong: 0.8 };

test('a trial waits while another change is watched at its tool', async () => {
  const { store } = open();
  const [here, there] = ['0123456789abcdef0123', '1123456789abcdef0123'].map((id) => `pat_${id}`);
  const patterns = [pattern(here!, 'search'), pattern(there!, 'fetch')];
  await store.commit(patternParts({ cycleId: 'cy_1', patterns, nowMs: 0 }));
  const at = (state: ProposalState, patternId: string | null) =>
    ({ proposal: { state }, content: makeContent({ patternId }) }) as Dossier;
  const tried = { ...pattern('pat_2', 'search'), trial };
  const given = (one: Dossier, isAllowed = true) =>
    withTrialAlone(tried, { open: [one], store, isAllowed });
  expect(await given(at('monitoring', here!))).toEqual(pattern('pat_2', 'search'));
  for (const other of [at('monitoring', there!), at('monitoring', null), at('pending', here!)])
    expect(await given(other)).toEqual(tried);
  expect(await given(at('pending', here!), false)).toEqual(pattern('pat_2', 'search'));
});

test('people hear of a trial that nobody allowed, where it would be sure enough', () => {
  const asked = { isAllowed: false, minConfidence: 0.6 };
  expect(trialHint({ trial }, asked)).toContain('propose.trials');
  expect(trialHint({}, asked)).toBe('');
  expect(trialHint({ trial }, { ...asked, isAllowed: true })).toBe('');
  expect(trialHint({ trial: { ...trial, ifLong: 0.5 } }, asked)).toBe('');
});
