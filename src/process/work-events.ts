/**
 * What happened to a task, as telemetry: the counters and spans of the process (PROC-1), and the failure that the loop
 * learns from. Messages name phases and evidence, never a task, so that the same mistake in many tasks is one pattern.
 */
import type { Event } from '../facts/index.ts';
import { type GateReason, violationOf } from './advance-gate.ts';
import type { PromptDrift, Task } from './types.ts';

type Counter =
  | 'phase_skips_attempted'
  | 'phase_validations_failed'
  | 'phase_backtracks'
  | 'prompt_drift_detected'
  | 'evidence_gate_failed'
  | 'phase_lease_contended';

export interface WorkMoment {
  readonly task: Pick<Task, 'id' | 'process' | 'phase' | 'persona'>;
  readonly worker: string;
  /** The client's session; the task where none is bound. */
  readonly session: string | undefined;
  readonly spanId: string;
  readonly atMs: number;
}

const common = ({ task, worker, session, atMs }: WorkMoment) => ({
  atMs,
  session: session ?? task.id,
  agent: worker,
  traceId: task.id,
  // Which persona did it, so that variants can be compared.
  ...(task.persona === null ? {} : { variant: task.persona.name }),
});

const placeOf = ({ task }: WorkMoment) => `${task.process}/${task.phase}`;

export function counted(moment: WorkMoment, name: Counter, value = 1): Event {
  return { ...common(moment), kind: 'metric', name, value, isSum: true };
}

export type SpanName = 'agent.state.transition' | 'agent.verify' | 'process.violation';

export function spanOf(
  moment: WorkMoment,
  name: SpanName,
  end: {
    readonly success: boolean;
    readonly durationMs?: number;
    readonly errorCode?: string;
    readonly errorMessage?: string;
  },
): Event {
  const { spanId } = moment;
  return { ...common(moment), kind: 'trace_span', spanId, name, task: placeOf(moment), ...end };
}

export function advancedEvents(moment: WorkMoment, drift: readonly PromptDrift[]): Event[] {
  return [
    spanOf(moment, 'agent.state.transition', { success: true }),
    ...(drift.length === 0 ? [] : [counted(moment, 'prompt_drift_detected', drift.length)]),
  ];
}

const EVIDENCE_CODES: readonly string[] = [
  'missing_evidence',
  'invalid_evidence',
  'claimed_evidence',
  'stale_evidence',
  'old_evidence',
  'other_commit',
  'not_independent',
];

export function refusedEvents(moment: WorkMoment, reasons: readonly GateReason[]): Event[] {
  const has = (test: (code: string) => boolean) => reasons.some(({ code }) => test(code));
  const drifted = reasons.filter(({ code }) => code === 'prompt_drift').length;
  const { code, why } = reasons[0]!;
  // What is missing where is a mistake of its own. Other reasons name what was asked for, which is anybody's word.
  const category = EVIDENCE_CODES.includes(code) ? violationOf(moment.task, reasons) : code;
  const contended = has((one) => one === 'lease_held');
  return [
    counted(moment, contended ? 'phase_lease_contended' : 'phase_validations_failed'),
    ...(has((one) => one === 'out_of_order') ? [counted(moment, 'phase_skips_attempted')] : []),
    ...(has((one) => EVIDENCE_CODES.includes(one))
      ? [counted(moment, 'evidence_gate_failed')]
      : []),
    ...(drifted === 0 ? [] : [counted(moment, 'prompt_drift_detected', drifted)]),
    spanOf(moment, 'process.violation', { success: false, errorCode: code, errorMessage: why }),
    {
      ...common(moment),
      kind: 'task_failure',
      task: placeOf(moment),
      errorCategory: category,
      errorMessage: why,
    },
  ];
}

export const backtrackedEvents = (moment: WorkMoment): Event[] => [
  counted(moment, 'phase_backtracks'),
  spanOf(moment, 'agent.state.transition', { success: true }),
];
