/** Tiers that decide without a person: shown, switched on by an operator, switched off by anybody, reset after a rollback. */
import { isoTime } from '../base/index.ts';
import type { TierList, TierSet, TierSetInput } from '../contracts/tier.ts';
import {
  AUTOMATIC_TIERS,
  type AutomaticState,
  type AutomaticTier,
  readAutomatic,
  setAutomatic,
} from '../policy/index.ts';
import { ownApprovals, takenBackForHarm } from '../proposal/index.ts';
import { authorise } from './authorise.ts';
import { fleetBaseline } from './baseline.ts';
import { type AppContext, type Opened, type OpenLoop, withLoop } from './context.ts';
import { type Refusal, unknown, usage } from './refusal.ts';
import { criticalNotice, sendNow } from './tell-operators.ts';

const DAY_MS = 86_400_000;

export const listTiers = (context: AppContext): Promise<TierList> => withLoop(context, {}, shown);

async function shown(opened: Opened, open: OpenLoop): Promise<TierList> {
  const { store, config } = opened;
  const { on, sinceMs } = await readAutomatic(store);
  const nowMs = await store.nowMs();
  const baseline = await fleetBaseline(open.ports.telemetry, config).catch(() => null);
  return {
    tiers: AUTOMATIC_TIERS.map((tier) => ({
      tier,
      decides: on.includes(tier) ? ('hone' as const) : ('person' as const),
    })),
    pausedBy: on.length === 0 ? null : ((await takenBackForHarm(store, sinceMs)) ?? null),
    since: sinceMs === 0 ? null : isoTime(sinceMs),
    used: (await ownApprovals(store, nowMs - DAY_MS)).length,
    limit: config.limits.automaticChanges,
    baseline,
  };
}

type Answer = Promise<TierSet | Refusal>;

/** Lets Hone decide at this tier by itself. Refused before the baseline is stable, unless that is said explicitly. */
export async function switchTierOn(
  context: AppContext,
  given: string,
  input: TierSetInput,
): Answer {
  const tier = AUTOMATIC_TIERS.find((one) => one === given);
  if (tier === undefined) return unknown(`There is no tier "${given}". Tiers: auto, notify.`);
  if (input.reason.trim() === '') return usage('Give a reason with --reason: it is recorded.');
  return withLoop(context, {}, async (opened, open): Answer => {
    const who = await authorise(context, opened, {
      action: 'switch_tier',
      subject: { kind: 'Tier', id: tier },
    });
    if ('refused' in who) return who;
    if (opened.held !== undefined) return { refused: `No tier is switched on now. ${opened.held}` };
    const baseline = await fleetBaseline(open.ports.telemetry, opened.config);
    const isStable = baseline.verdict === 'stable';
    if (!isStable && !input.evenUnstable) {
      return {
        refused: `The baseline is not stable: ${baseline.why}. Hone would not know harm from the usual. Wait, or add --even-unstable and say in the reason why it may act all the same.`,
      };
    }
    const before = await readAutomatic(opened.store);
    const on = [...new Set<AutomaticTier>([...before.on, tier])];
    const sinceMs = await opened.store.nowMs();
    const reason = isStable
      ? input.reason
      : `${input.reason} (the baseline is not stable: ${baseline.why})`;
    return change(context, { opened, open }, { before, next: { on, sinceMs }, who, reason, tier });
  });
}

/** Anybody may: it only means that people are asked again. */
export async function switchTierOff(
  context: AppContext,
  given: string,
  input: TierSetInput,
): Answer {
  const tier = AUTOMATIC_TIERS.find((one) => one === given);
  if (tier === undefined) return unknown(`There is no tier "${given}". Tiers: auto, notify.`);
  return withLoop(context, {}, async (opened, open): Answer => {
    const actor = await context.actor(opened.config.identity.agents);
    const before = await readAutomatic(opened.store);
    const next = { on: before.on.filter((one) => one !== tier), sinceMs: before.sinceMs };
    const { reason } = input;
    return change(
      context,
      { opened, open },
      { before, next, who: { actor, unchanged: [] }, reason },
    );
  });
}

/** After a rollback for harm: an operator looked, and Hone may decide by itself again. */
export async function resetTiers(context: AppContext, input: TierSetInput): Answer {
  if (input.reason.trim() === '') return usage('Give a reason with --reason: it is recorded.');
  return withLoop(context, {}, async (opened, open): Answer => {
    const who = await authorise(context, opened, {
      action: 'switch_tier',
      subject: { kind: 'Tier', id: 'reset' },
    });
    if ('refused' in who) return who;
    const before = await readAutomatic(opened.store);
    const next = { on: before.on, sinceMs: await opened.store.nowMs() };
    return change(context, { opened, open }, { before, next, who, reason: input.reason });
  });
}

interface Change {
  readonly before: AutomaticState;
  readonly next: Pick<AutomaticState, 'on' | 'sinceMs'>;
  readonly who: Pick<
    Exclude<Awaited<ReturnType<typeof authorise>>, Refusal>,
    'actor' | 'unchanged'
  >;
  readonly reason: string;
  /** The one that is switched on: everybody is told. */
  readonly tier?: AutomaticTier;
}

async function change(
  context: AppContext,
  { opened, open }: { opened: Opened; open: OpenLoop },
  { before, next, who, reason, tier }: Change,
): Answer {
  const { actor, unchanged: expect } = who;
  const effects =
    tier === undefined
      ? []
      : criticalNotice(opened, {
          key: `tier/${tier}/${context.newId('set')}`,
          title: `Changes of tier ${tier} are decided without a person from now on`,
          text: `Switched on by ${actor.id}: ${reason.trim().slice(0, 1000)} If none of you did this, run hone stop-all, then hone tiers off ${tier}.`,
        });
  const also = { expect, effects };
  const done = await setAutomatic(opened.store, next, { before, actor, reason, also });
  if (!done.set)
    return { refused: 'Somebody else has just changed it. Look at "hone tiers list".' };
  await opened.store.notify('loop');
  const told = effects.length === 0 || (await sendNow(context, opened));
  return { ...(await shown(opened, open)), told };
}
