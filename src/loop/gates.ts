/**
 * The gates that can be switched, where the loop asks them.
 *
 * `limits`: how many cycles begin by themselves, how many proposals are open, and pauses.
 * `telemetry`: whether enough of the telemetry could be read to act on it. It observes by default.
 * `identity`: how far the person who decided was verified. The kernel judges by its own table first; if only
 * that table refuses and the gate does not enforce, it judges again by the weakest verification that ever
 * counts. Who may decide is never switched: decisions by agents and about one's own proposal are always refused.
 */
import type { Verification, Window } from '../facts/index.ts';
import { generatorOf, type Paused, type PauseQuestion, pauseOf } from '../learn/index.ts';
import type { Telemetry } from '../observe/index.ts';
import {
  ENFORCED,
  judgeLimit,
  type LetPass,
  letPassEntry,
  type Switched,
  type Switches,
} from '../policy/index.ts';
import {
  type Dossier,
  decidedBy,
  latestDecision,
  type ProposalStep,
  planStep,
  type Refusal,
  type StepContext,
} from '../proposal/index.ts';
import type { Expectation, Plan, Store } from '../store/index.ts';
import { automaticCycles } from './cycle-store.ts';
import type { Moment } from './moment.ts';
import type { HoneConfig } from './sections.ts';

const DAY_MS = 86_400_000;

/** `refused` says why, in a clause. */
export type GateAnswer =
  | { readonly letPass: LetPass | undefined; readonly unchanged: readonly Expectation[] }
  | { readonly refused: string };

/** For what no limit applies to. */
export const FREE = { letPass: undefined, unchanged: ENFORCED.unchanged } as const;

/** Whether one more cycle may begin by itself. */
export async function judgeCycles(options: {
  store: Store;
  switches: Switches;
  nowMs: number;
  max: number;
}): Promise<GateAnswer> {
  const { store, switches, nowMs, max } = options;
  const { mode, unchanged } = await switches.read('limits');
  const count = (await automaticCycles(store, nowMs - DAY_MS)).length;
  const judged = judgeLimit('cyclesPerDay', { count, max, mode });
  const why = `${count} automatic cycles ran in 24 hours; the limit is ${judged.letPass ? max : judged.max}`;
  if (!judged.allowed) return { refused: why };
  const letPass = judged.letPass ? { gate: 'limits', what: 'cycles a day', why } : undefined;
  return { letPass, unchanged };
}

/**
 * Until when failures that begin to recur wait for each other, so that one cycle looks at all of them; undefined if they need not. Half of
 * a day's cycles begin at once, the others are spread over the day: a fault of many faces would else spend all of them
 * within the hour, and what begins later in the day would be looked at on the next.
 */
export async function patternsWaitUntil(
  store: Store,
  { switches, nowMs, max }: { switches: Switches; readonly nowMs: number; readonly max: number },
): Promise<number | undefined> {
  // Where the limit holds nobody back, there is nothing to spread.
  if ((await switches.read('limits')).mode !== 'enforce') return undefined;
  const ran = await automaticCycles(store, nowMs - DAY_MS);
  const newest = ran.at(-1);
  if (newest === undefined || ran.length * 2 < max) return undefined;
  const untilMs = newest.atMs + DAY_MS / max;
  return untilMs > nowMs ? untilMs : undefined;
}

/** Whether one more proposal may be made. */
export async function judgeOpen(
  switches: Switches,
  { count, max }: { count: number; max: number },
): Promise<GateAnswer> {
  const { mode, unchanged } = await switches.read('limits');
  const judged = judgeLimit('openProposals', { count, max, mode });
  const why = `${count} proposals are open; the limit is ${judged.letPass ? max : judged.max}`;
  if (!judged.allowed) return { refused: why };
  const letPass = judged.letPass ? { gate: 'limits', what: 'open proposals', why } : undefined;
  return { letPass, unchanged };
}

/** Whether a generator may propose this now, or pauses after rejections or harm. */
export async function judgePause(
  moment: Pick<Moment, 'store' | 'switches' | 'nowMs' | 'config'>,
  change: Paused,
  open: readonly Dossier[],
): Promise<GateAnswer> {
  const { mode, unchanged } = await moment.switches.read('limits');
  const pause = await pauseOf(moment.store, change, pauseQuestion(moment, open));
  if (pause === undefined || mode === 'off') return { letPass: undefined, unchanged };
  if (mode === 'enforce') return { refused: pause.why };
  return { letPass: { gate: 'limits', what: 'a pause', why: pause.why }, unchanged };
}

/** By the limits that are configured, and with what was approved and has not ended. */
export function pauseQuestion(
  { nowMs, config }: { readonly nowMs: number; readonly config: Pick<HoneConfig, 'limits'> },
  open: readonly Dossier[],
): PauseQuestion {
  const { rejectionsBeforePause, rejectionPause, failurePause } = config.limits;
  return {
    nowMs,
    limits: {
      rejectionsBeforePause,
      rejectionPauseMs: rejectionPause,
      failurePauseMs: failurePause,
    },
    underWay: open.flatMap(({ proposal, content, attestations }) => {
      const decision = decidedBy(attestations, proposal.digest);
      if (decision?.verdict !== 'approved') return [];
      return [{ generator: generatorOf(content), atMs: decision.atMs, rejected: false }];
    }),
  };
}

/** With fewer lines a source is not judged; above this share its format is one that Hone does not read. */
const LINES_MIN = 50;
const ASIDE_SHARE_MAX = 0.2;

/** Whether a cycle acts on the telemetry of its window. */
export async function judgeTelemetry(
  { switches, telemetry }: { switches: Switches; telemetry: Pick<Telemetry, 'totals'> },
  window: Window,
): Promise<GateAnswer> {
  const { mode, unchanged } = await switches.read('telemetry');
  // Lines that could not be read count when they were seen, which may be this very moment.
  const seen = { ...window, toMs: window.toMs + 1 };
  // Junk from nobody known must not close the gate for others, nor its events open it for unreadable ones.
  const known = await telemetry.totals(seen, { known: true });
  const { events, aside } = known.events + known.aside > 0 ? known : await telemetry.totals(seen);
  const lines = events + aside;
  const isUnfit = lines >= LINES_MIN && aside > lines * ASIDE_SHARE_MAX;
  if (mode === 'off' || !isUnfit) return { letPass: undefined, unchanged };
  const why = `${aside} of ${lines} lines could not be read, so the telemetry may not show what happened; "hone sources list" says why`;
  if (mode === 'enforce') return { refused: why };
  return { letPass: { gate: 'telemetry', what: 'acting on it', why }, unchanged };
}

/** An unverified claim is not a person: rule 1 of the constitution holds in every mode. */
const LEAST: Readonly<Record<'approve' | 'require', Verification>> = {
  approve: 'local',
  require: 'local',
};

export type Judged =
  | { readonly plan: Plan; readonly letPass: LetPass | undefined }
  | { readonly refused: Refusal };

export function planJudged(
  dossier: Dossier,
  step: ProposalStep,
  { identity, ...context }: StepContext & { readonly identity: Switched },
): Judged {
  const strict = planStep(dossier, step, context);
  if (!('refused' in strict)) return { plan: strict.plan, letPass: undefined };
  if (identity.mode === 'enforce' || !isAboutVerification(strict.refused)) return strict;
  const planned = planStep(dossier, step, {
    ...context,
    gate: { ...context.gate, verification: LEAST },
  });
  if ('refused' in planned) return planned;
  // Even if it is off: a decision with less proof than configured stays on record.
  const passed = whatPasses(dossier, step, context);
  const subject = `proposal:${dossier.proposal.id}`;
  const entries = [letPassEntry(passed, subject, context.nowMs)];
  const { plan } = planned;
  return {
    letPass: identity.mode === 'observe' ? passed : undefined,
    plan: {
      ...plan,
      expect: [...(plan.expect ?? []), ...identity.unchanged],
      entries: [...(plan.entries ?? []), ...entries],
    },
  };
}

function isAboutVerification(refused: Refusal): boolean {
  return refused.why === 'gate_closed' && refused.missing.includes('not_verified_enough');
}

function whatPasses(
  { proposal, attestations }: Dossier,
  step: ProposalStep,
  { actor, gate }: StepContext,
): LetPass {
  const given = step.attestations?.findLast((one) => one.kind === 'decision');
  const before = latestDecision(attestations, proposal.digest);
  const maker = given === undefined ? before?.actor : (given.actor ?? actor);
  const tier = (given ?? before)?.tier;
  const needed = tier === 'approve' || tier === 'require' ? gate.verification[tier] : 'more';
  const why = `${maker?.id} is verified by ${maker?.verified}, and tier ${tier} needs ${needed}.`;
  return { gate: 'identity', what: `the decision on the way to ${step.to}`, why, who: maker?.id };
}
