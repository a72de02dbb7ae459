/** News for people when a proposal is made or moves on. Requests for decisions are sent by `approve`. */

import { sha256Hex } from '../base/index.ts';
import type { EntryPayload, Pattern, ProposalState, Severity, StepKind } from '../facts/index.ts';
import { LIKELY, type SuspectedChange } from '../monitor/index.ts';
import type { Notice, NotifyRule } from '../notify/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { ROWS_DIFFER } from './before-deploy.ts';

const LATE_HARM = 'Seems to do harm; a person should take it back';
/** Not likely enough to be called the cause. */
const MAY_HARM = 'May do harm; taking it back would show it';
export const RECORD_UNFIT = 'NOT deployed; the record does not match';

interface News {
  readonly to: 'approver' | 'operator';
  readonly severity: Severity;
  readonly words: string;
  readonly step: StepKind;
  /** Distinguishes it from other news of the same version. */
  readonly about?: string;
}

const ON_ARRIVAL: Readonly<Partial<Record<ProposalState, News>>> = {
  monitoring: { to: 'operator', severity: 'medium', words: 'Deployed', step: 'deploy' },
  implemented: { to: 'operator', severity: 'medium', words: 'Kept', step: 'monitor' },
  reverted: { to: 'operator', severity: 'critical', words: 'Taken back', step: 'rollback' },
  quarantined: { to: 'operator', severity: 'high', words: 'Held back', step: 'vet' },
  superseded: { to: 'operator', severity: 'low', words: 'No longer fits', step: 'deploy' },
};

/** Nobody let it through: told at once, also while everything is stopped. */
const OUTSIDE: News = {
  to: 'operator',
  severity: 'critical',
  words: 'Deployed outside of Hone',
  step: 'monitor',
};

/** Its watch ended for want of telemetry. */
const NOT_JUDGED: News = {
  to: 'operator',
  severity: 'high',
  words: 'Kept, not judged',
  step: 'monitor',
};

/** Nobody was harmed. */
const VAIN: News = {
  to: 'operator',
  severity: 'medium',
  words: 'Tried, brought nothing',
  step: 'rollback',
};

/** A person's rejection is news, with its reason; what vetting rejected is in the cycle's report. */
const REJECTED: News = { to: 'operator', severity: 'low', words: 'Rejected', step: 'approve' };

function arrivalOf(step: ProposalStep, to: ProposalState): News | undefined {
  if (
    step.attestations?.some(({ kind, verdict }) => kind === 'deployment' && verdict === 'outside')
  )
    return OUTSIDE;
  if (
    step.attestations?.some(
      ({ kind, verdict }) => kind === 'monitoring' && verdict === 'inconclusive',
    )
  )
    return NOT_JUDGED;
  if (to === 'reverted' && step.isVain === true) return VAIN;
  if (to !== 'rejected') return ON_ARRIVAL[to];
  return step.attestations?.some(({ kind }) => kind === 'decision') ? REJECTED : undefined;
}

/** What a person must know although the proposal does not move. */
function troubleOf(step: ProposalStep): News | undefined {
  if (step.attestations?.some(({ kind, verdict }) => kind === 'rollback' && verdict === 'failed')) {
    const words = 'NOT taken back; a person has to do it';
    return { to: 'operator', severity: 'critical', words, step: 'rollback' };
  }
  const arrival = step.attestations?.find(({ kind }) => kind === 'arrival');
  if (arrival?.verdict === 'failed') {
    const words = 'Did not arrive well';
    return { to: 'operator', severity: 'high', words, step: 'monitor', about: 'arrival' };
  }
  const extended = step.entries?.find(({ type }) => type === 'monitor.extended');
  if (extended !== undefined) {
    const words = 'Cannot be judged yet';
    // Once for each extension: it does not change the proposal's version.
    const about = `until-${(extended.data as EntryPayload<'monitor.extended'>).untilMs}`;
    return { to: 'operator', severity: 'high', words, step: 'monitor', about };
  }
  const proposed = step.entries?.find(({ type }) => type === 'monitor.rollback_proposed');
  if (proposed !== undefined) {
    const { probability } = proposed.data as EntryPayload<'monitor.rollback_proposed'>;
    const isLikely = probability >= LIKELY;
    return {
      to: 'operator',
      severity: isLikely ? 'critical' : 'high',
      words: isLikely ? LATE_HARM : MAY_HARM,
      step: 'monitor',
      // Once for each time that it is proposed: that does not change the proposal's version either.
      about: `late-harm-${proposed.atMs}`,
    };
  }
  if (step.needsPerson === ROWS_DIFFER) {
    const words = RECORD_UNFIT;
    return { to: 'operator', severity: 'critical', words, step: 'deploy', about: ROWS_DIFFER };
  }
  return undefined;
}

export function newsOf({ proposal, content }: Dossier, step: ProposalStep): Notice[] {
  const news = step.to === undefined ? troubleOf(step) : arrivalOf(step, step.to);
  if (news === undefined) return [];
  return [
    {
      key: `proposal/${proposal.id}/${proposal.version}/${step.to ?? news.about ?? news.step}`,
      to: news.to,
      severity: news.severity,
      title: `${news.words}: ${content.title}`,
      text: step.did,
      step: news.step,
    },
  ];
}

export function lateHarmNews({ proposalId, why, sinceMs, verdict }: SuspectedChange): Notice {
  const isCause = verdict === 'cause';
  const reason = isCause ? 'it does harm' : 'to see whether it does harm';
  return {
    key: `proposal/${proposalId}/late-harm-${sinceMs}`,
    to: 'operator',
    severity: isCause ? 'critical' : 'high',
    title: `${isCause ? LATE_HARM : MAY_HARM}: ${proposalId}`,
    text: `${why} Run: hone rollback ${proposalId} --reason "${reason}"`,
    step: 'monitor',
  };
}

/** Once for each fix that did not last. */
export function returnedNews({ id, title, layer, reasons, returned }: Pattern): Notice[] {
  if (returned === undefined) return [];
  return [
    {
      key: `pattern/${id}/returned/${returned.proposalId}`,
      to: 'operator',
      severity: 'high',
      title: `Back after its fix: ${title}`,
      text: `${reasons[0] ?? ''} It seems to begin in the ${layer} layer now. See: hone patterns show ${id}`,
      step: 'diagnose',
    },
  ];
}

/** What the cycle of a schedule proposed. */
export interface ProposedBySchedule {
  readonly cycle: string;
  readonly schedule: string;
  readonly titles: readonly string[];
}

/**
 * For the rules `proposal_created` of the schedule that began the cycle. Approvers are left to `approve`, which
 * notifies them when there is something to decide: two notices about one proposal help nobody.
 */
export function proposedNews(
  { cycle, schedule, titles }: ProposedBySchedule,
  schedules: Readonly<Record<string, { readonly notify: readonly NotifyRule[] }>>,
): Notice[] {
  if (titles.length === 0 || !Object.hasOwn(schedules, schedule)) return [];
  const recipients = schedules[schedule]!.notify.filter(
    ({ on, to }) => on === 'proposal_created' && to !== 'approver',
  ).map(({ to }) => to);
  const count = `${titles.length} ${titles.length === 1 ? 'change' : 'changes'}`;
  return [...new Set(recipients)].map((to) => ({
    key: `cycle/${cycle}/proposed/${sha256Hex(to).slice(0, 16)}`,
    to,
    severity: 'medium',
    title: `${count} proposed by ${schedule}`,
    text: titles.join('; '),
    step: 'propose',
  }));
}

/** What the weekly scan suggests to look at. */
export interface SuggestedByScan {
  readonly cycle: string;
  readonly suggested: readonly { readonly title: string; readonly why: string }[];
}

export function suggestedNews({ cycle, suggested }: SuggestedByScan): Notice[] {
  if (suggested.length === 0) return [];
  const things = suggested.length === 1 ? '1 thing' : `${suggested.length} things`;
  return [
    {
      key: `cycle/${cycle}/suggested`,
      to: 'operator',
      severity: 'medium',
      title: `Weekly scan: ${things} to look at`,
      text: suggested.map(({ title, why }) => `${title}: ${why}`).join(' '),
      step: 'diagnose',
    },
  ];
}
