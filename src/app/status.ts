/** The status, for the command line and for HTTP. */

import { isoTime } from '../base/index.ts';
import type { Status } from '../contracts/status.ts';
import { ownHealth } from '../health/at-start.ts';
import { LedgerView, latestCheckpoint } from '../ledger/index.ts';
import { countDue, countWaitingTriggers, listCycles, troubledWorks } from '../loop/at-start.ts';
import { pushedLastHour } from '../observe/at-start.ts';
import { countEffects } from '../outbox/index.ts';
import { isWeakened, readAutomatic } from '../policy/at-start.ts';
import { countProposals } from '../proposal/at-start.ts';
import { lastFailed, listSchedules } from '../schedule/at-start.ts';
import type { Store } from '../store/index.ts';
import { fleetBaseline } from './baseline.ts';
import { clockDoubts } from './clock-doubts.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { heldBack } from './held-back.ts';
import { hookStandings } from './hook-records.ts';
import { networkHost } from './listens-on.ts';
import { collectAttention } from './needs-attention.ts';
import { isOtherInCharge } from './other-in-charge.ts';
import { probeReceiver } from './receiver-probe.ts';
import { checkedOutNow } from './target-look.ts';

/** Enough for a percentile, little enough for a second. */
const HEALTH_CYCLES = 100;
const DAY_MS = 86_400_000;
/** On this machine: whoever does not answer in that time is not waited for. */
const PROBE_MS = 300;

export const status = (context: AppContext): Promise<Status> =>
  withOpened(context, (opened) => collectStatus(opened, context));

async function collectStatus(opened: Opened, context: AppContext): Promise<Status> {
  const { store, killSwitch, switches, config, configuration, home } = opened;
  const { clock } = context;
  // Files are read and the receiver is asked while the store answers.
  const receiving = receiverState(opened, context);
  const branchCheckedOut = checkedOut(home, config.deploy);
  const view = new LedgerView(store);
  const nowMs = await store.nowMs();
  const [stop, gates, entries, unplaced, checkpoint, proposals, effects, cycles, queue, troubled] =
    await Promise.all([
      killSwitch.state(),
      switches.list(),
      view.size(),
      view.unplaced(),
      latestCheckpoint(store),
      countProposals(store),
      countEffects(store),
      listCycles(store, HEALTH_CYCLES),
      countDue(store, nowMs),
      troubledWorks(store),
    ]);
  return {
    root: home.root,
    engine: store.engine,
    store: store.location,
    stopped: stop.stopped,
    stopReason: stop.stopped ? stop.reason : null,
    configuration,
    clockDoubts: await clockDoubts(store, clock),
    otherInstallation: await isOtherInCharge(home, store, config.deploy.forge),
    networkHost: networkHost(config),
    goesTo: goesTo(config.deploy),
    checkedOut: await branchCheckedOut,
    failedSchedule: await failedSchedule(Object.keys(config.schedules), store),
    automatic: (await readAutomatic(store)).on,
    baseline: (await receiving).baseline,
    notEnforced: gates.flatMap(({ gate, mode }) =>
      mode !== 'enforce' && isWeakened(gate, mode) ? [{ gate, mode }] : [],
    ),
    hooks: await hookStandings(context, opened),
    telemetry: await keptTelemetry(config, store),
    receiver: (await receiving).receiver,
    triggers: await countWaitingTriggers(store),
    ...(await heldBack(opened, { nowMs, proposals })),
    ledger: { entries, unplaced, checkpointSize: checkpoint?.size ?? null },
    proposals,
    effects,
    health: ownHealth({
      nowMs,
      lastCycleMs: cycles[0]?.startedAtMs ?? null,
      queue,
      cycleActiveMs: cycles.flatMap(({ activeMs, outcome }) =>
        outcome === null ? [] : [activeMs],
      ),
    }),
    ...(await collectAttention(store, { nowMs, stopped: stop.stopped })),
    troubles: troubled.map(({ id, attempts, error }) => ({ work: id, attempts, error: error! })),
  };
}

/** Telemetry that cannot be read does not hide the rest. */
async function receiverState(
  opened: Opened,
  context: AppContext,
): Promise<Pick<Status, 'receiver' | 'baseline'>> {
  const probe = await probeReceiver(opened, PROBE_MS);
  try {
    await using open = await context.openLoop(opened);
    const { telemetry } = open.ports;
    const lastHour = await pushedLastHour(telemetry);
    return {
      receiver: { ...probe, lastHour },
      baseline: await fleetBaseline(telemetry, opened.config),
    };
  } catch {
    return { receiver: { ...probe, lastHour: null }, baseline: null };
  }
}

function goesTo({ branch, forge, remote }: Opened['config']['deploy']) {
  return { branch, forge, remote: forge === 'local' ? null : remote };
}

async function checkedOut(
  home: Opened['home'],
  { branch, forge }: Pick<Opened['config']['deploy'], 'branch' | 'forge'>,
) {
  // No other forge moves a branch that somebody may have checked out.
  if (forge !== 'local') return null;
  const folder = await checkedOutNow(home, branch);
  return folder === null ? null : { branch, folder };
}

async function keptTelemetry({ observe }: Opened['config'], store: Store) {
  const { events, counts } = observe.retention;
  const run = (await listSchedules(store)).find(({ name }) => name === 'retention');
  const lastMs = run?.lastFinishedMs ?? null;
  return {
    eventsDays: events / DAY_MS,
    countsDays: counts / DAY_MS,
    lastAt: lastMs === null ? null : isoTime(lastMs),
  };
}

/** The reason is in the ledger; on PostgreSQL a moment later. */
async function failedSchedule(names: readonly string[], store: Store) {
  const failed = await lastFailed(names, store);
  if (failed === undefined) return null;
  const { name, lastOutcome, lastFinishedMs } = failed;
  const [last] = await new LedgerView(store).entries({
    subject: `schedule:${name}`,
    newestFirst: true,
    limit: 1,
  });
  const error = (last?.entry.data['error'] as string | null | undefined) ?? null;
  const outcome = lastOutcome === 'timed_out' ? 'timed_out' : 'failed';
  return { name, outcome, at: isoTime(lastFinishedMs!), error } as const;
}
