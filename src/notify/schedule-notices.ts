/**
 * Who is notified of a run of a schedule, by its `notify` rules. At once, because they asked for it.
 * One of a kind and day at most, because a schedule that fails every five minutes is one thing to know.
 * `proposal_created` is told by the cycle that the run began (`loop/`), where proposals are made.
 */
import { isoTime, sha256Hex } from '../base/index.ts';
import type { EffectDraft, Severity, StepKind } from '../facts/index.ts';
import { UNSTOPPABLE_STEPS } from '../facts/index.ts';
import type { FinishedRun } from '../schedule/index.ts';
import { noticeEffects } from './notices.ts';
import type { Channels } from './types.ts';

export interface NotifyRule {
  readonly on: 'error' | 'timeout' | 'missed' | 'proposal_created';
  /** A role, or somebody's name. */
  readonly to: string;
}

/** So late, nothing was running when it was due; a schedule before it may take some minutes. */
const LATE_MS = 15 * 60_000;

export function scheduleNotices(
  run: FinishedRun,
  options: { rules: readonly NotifyRule[]; step: StepKind; channels: Channels },
): EffectDraft[] {
  const { rules, channels } = options;
  // Notices of watching are sent even while everything is stopped.
  const step = UNSTOPPABLE_STEPS.includes(options.step) ? options.step : 'notify';
  return rules.flatMap(({ on, to }) => {
    const told = whatHappened(on, run);
    if (told === undefined) return [];
    const day = isoTime(run.dueAtMs).slice(0, 10);
    const key = `schedule/${run.name}/${on}/${day}/${sha256Hex(to).slice(0, 16)}`;
    return noticeEffects({ key, to, step, ...told }, channels);
  });
}

function whatHappened(
  on: NotifyRule['on'],
  { name, outcome, error, missed, lateMs, dueAtMs }: FinishedRun,
): { severity: Severity; title: string; text: string } | undefined {
  const due = `It was due at ${isoTime(dueAtMs).slice(0, 16).replace('T', ' ')} UTC`;
  const next = 'See "hone schedule list".';
  if (on === 'error' && outcome === 'failed') {
    return { severity: 'high', title: `The schedule ${name} failed`, text: `${error} ${next}` };
  }
  if (on === 'timeout' && outcome === 'timed_out') {
    const text = `${due} and ${error}. ${next}`;
    return { severity: 'high', title: `The schedule ${name} was stopped`, text };
  }
  if (on === 'missed' && (missed > 0 || lateMs > LATE_MS)) {
    const times = missed === 0 ? '' : `, and ${missed} more times passed`;
    const text = `${due}${times} while nothing ran; one run makes up for it. ${next}`;
    return { severity: 'medium', title: `The schedule ${name} ran late`, text };
  }
  return undefined;
}
