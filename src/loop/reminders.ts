/**
 * Critical things that nobody has answered: a notice at once when they happen, and again while they last.
 * The key counts the periods, so that there is one reminder per period, however often somebody looks.
 */
import type { EffectDraft, StepKind } from '../facts/index.ts';
import { type Channels, type Notice, noticeEffects } from '../notify/index.ts';
import { readEffect } from '../outbox/index.ts';
import { type Dossier, readDossier, rollbackCall } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { isStuck } from './stuck.ts';
import { openProposalWorks } from './works.ts';

/** The target may still have the harm. */
const NOT_TAKEN_BACK_MS = 3_600_000;
/** People sleep; `approve.askAgainAfter` is for everything that is not critical. */
const UNDECIDED_MS = 6 * 3_600_000;

export interface ReminderOptions {
  readonly nowMs: number;
  /** What may act now: nobody is asked for a decision while everything is stopped. */
  readonly allowed: readonly StepKind[];
  readonly channels: Channels;
}

/** The reminders that are due and were not sent yet. */
export async function reminders(store: Store, options: ReminderOptions): Promise<EffectDraft[]> {
  const { nowMs, allowed, channels } = options;
  const due: EffectDraft[] = [];
  for (const { subject } of await openProposalWorks(store)) {
    const notice = await noticeFor(store, subject, nowMs);
    if (notice === undefined || !allowed.includes(notice.step)) continue;
    for (const effect of noticeEffects(notice, channels))
      if ((await readEffect(store, effect.key)) === undefined) due.push(effect);
  }
  return due;
}

/** One that cannot be read does not delay the others; its own step fails, which `hone status` shows. */
async function noticeFor(store: Store, id: string, nowMs: number): Promise<Notice | undefined> {
  try {
    return reminderOf(await readDossier(store, id), nowMs);
  } catch {
    return undefined;
  }
}

function reminderOf(dossier: Dossier, nowMs: number): Notice | undefined {
  const { proposal, content, attestations } = dossier;
  const { id } = proposal;
  if (isStuck(dossier)) {
    const call = rollbackCall(attestations, proposal.digest)!;
    const times = Math.floor((nowMs - call.atMs) / NOT_TAKEN_BACK_MS);
    if (times === 0) return undefined;
    return {
      key: `remind/rollback/${call.id}/${times}`,
      to: 'operator',
      severity: 'critical',
      title: `Still NOT taken back; a person has to do it: ${content.title}`,
      text: `Look: hone proposals show ${id}. Settle it: hone settle ${id}`,
      step: 'rollback',
    };
  }
  if (proposal.state !== 'pending' || content.severity !== 'critical') return undefined;
  const times = Math.floor((nowMs - proposal.changedAtMs) / UNDECIDED_MS);
  if (times === 0) return undefined;
  return {
    key: `remind/decision/${id}/${proposal.version}/${times}`,
    to: 'approver',
    severity: 'critical',
    title: `Still waiting for a decision: ${content.title}`,
    text: `Look: hone proposals show ${id}`,
    step: 'approve',
  };
}
