import { describe, expect, test } from 'vitest';
import type { GateCode, GateReason } from './advance-gate.ts';
import { advancedEvents, backtrackedEvents, refusedEvents } from './work-events.ts';

const MOMENT = {
  task: { id: 'task_1', process: 'autopilot', phase: 'verify', persona: null },
  ...{ worker: 'coder', session: undefined, spanId: 'span_1', atMs: 7 },
};
const DRIFT = { what: 'AGENTS.md', expectedDigest: 'a', foundDigest: 'b' };
const reason = (code: GateCode, about = 'tests'): GateReason => ({ code, about, why: `${code}.` });
const counts = (events: ReturnType<typeof refusedEvents>) =>
  events.flatMap((event) => (event.kind === 'metric' ? [[event.name, event.value]] : []));
const spans = (events: ReturnType<typeof refusedEvents>) =>
  events.flatMap((event) =>
    event.kind === 'trace_span' ? [[event.name, event.success, event.spanId]] : [],
  );

describe('PROC-1 what happens to a task is counted', () => {
  test('a transition, with what drifted where that is only told', () => {
    expect(counts(advancedEvents(MOMENT, []))).toEqual([]);
    const events = advancedEvents(MOMENT, [DRIFT, { ...DRIFT, what: 'CLAUDE.md' }]);
    expect(counts(events)).toEqual([['prompt_drift_detected', 2]]);
    expect(spans(events)).toEqual([['agent.state.transition', true, 'span_1']]);
  });

  test('a way back', () => {
    const events = backtrackedEvents(MOMENT);
    expect(counts(events)).toEqual([['phase_backtracks', 1]]);
    expect(spans(events)).toEqual([['agent.state.transition', true, 'span_1']]);
  });

  test('a refusal, once for each kind of what was wrong and for each file that drifted', () => {
    const events = refusedEvents(MOMENT, [
      reason('out_of_order', 'monitor'),
      reason('missing_evidence'),
      reason('invalid_evidence', 'build'),
      reason('prompt_drift', 'AGENTS.md'),
      reason('prompt_drift', 'CLAUDE.md'),
    ]);
    expect(counts(events)).toEqual([
      ['phase_validations_failed', 1],
      ['phase_skips_attempted', 1],
      ['evidence_gate_failed', 1],
      ['prompt_drift_detected', 2],
    ]);
    expect(spans(events)).toEqual([['process.violation', false, 'span_1']]);
  });

  test.each([
    'missing_evidence',
    'invalid_evidence',
    'claimed_evidence',
    'stale_evidence',
    'old_evidence',
    'other_commit',
    'not_independent',
  ] as const)('%s is a failed gate of evidence, and a pattern of its own', (code) => {
    const events = refusedEvents(MOMENT, [reason(code)]);
    expect(counts(events)).toContainEqual(['evidence_gate_failed', 1]);
    const category = `verify/${code}/tests`;
    expect(events).toContainEqual(expect.objectContaining({ errorCategory: category }));
  });

  test('a phase that somebody else works on is contention and no failed validation', () => {
    const events = refusedEvents(MOMENT, [reason('lease_held', 'verify')]);
    expect(counts(events)).toEqual([['phase_lease_contended', 1]]);
  });
});
