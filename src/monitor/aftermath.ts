/**
 * After a change was taken back in doubt: the rollback was an experiment. If what failed goes on failing without the
 * change, something else did it, and the change may come back as soon as that is over. If it ended with the rollback,
 * nobody can say which of the two ended it: it stays in doubt.
 *
 * Both questions, whether it went on and whether it is over, are answered by a sequential test between the harm's rate and what
 * is usual at that time of day: twenty calls do not tell 16 % from 9 %, and a change that is cleared by noise comes back and
 * does its harm again. What began with the change may last as long as its longest calls, and is waited for first.
 */
import { z } from 'zod';
import { readArtifact } from '../artifact/index.ts';
import { isoTime } from '../base/index.ts';
import { RATE_METRICS, type RateBin } from '../facts/index.ts';
import { type Dossier, rollbackCall, rollbackOutcome } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { readBaseline } from './baseline.ts';
import { type Norm, normOf } from './norm.ts';
import { sum } from './season.ts';
import type { Count, MonitorPorts } from './types.ts';
import { readWatch } from './watch-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Events that show whether it goes on, and that it is over, where the test needs no more. */
const EVENTS_MIN = 20;
/** That it went on must be this much likelier than not: what is cleared may come back, and do its harm again. */
const SURE_ON = Math.log(100);
/** That it ended, or is over. */
const SURE = Math.log(20);
/** Agents get the old version within this time; what fails later fails without the change. */
const ARRIVES_MS = 10 * MINUTE_MS;
/** Over means that it was well for so long. */
const WELL_MS = 15 * MINUTE_MS;
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
/** An outage is over by then; what is not is no outage. */
const LONGEST_MS = 7 * 24 * HOUR_MS;

export type Aftermath =
  | { readonly say: 'waiting'; readonly did: string; readonly dueAtMs: number }
  | { readonly say: 'cleared'; readonly did: string }
  | { readonly say: 'unknown'; readonly did: string };

const reportSchema = z.object({
  series: z.array(
    z.object({
      metric: z.enum(RATE_METRICS),
      agent: z.string().nullable(),
      tool: z.string().optional(),
      finding: z
        .object({
          observed: z.object({ bad: z.number(), all: z.number() }),
          expectedBad: z.number(),
        })
        .nullable(),
    }),
  ),
});

type Ports = Pick<MonitorPorts, 'store' | 'rates' | 'callHours' | 'nowMs'>;

/** For a proposal that was taken back in doubt. */
export async function lookAtAftermath(
  { proposal, attestations }: Dossier,
  ports: Ports,
): Promise<Aftermath> {
  const { store, nowMs } = ports;
  const revertedAtMs = rollbackOutcome(attestations, proposal.digest)?.atMs;
  const [digest] = rollbackCall(attestations, proposal.digest)?.artifacts ?? [];
  const found = digest === undefined ? undefined : await worstOf(digest, store);
  if (revertedAtMs === undefined || found === undefined)
    return { say: 'unknown', did: 'What it was taken back for is not known.' };
  const { metric, agent, tool, finding } = found;
  const before = await beforeOf(proposal.id, found, ports);
  const arrivesMs = ARRIVES_MS + (await drainMs(before?.startedAtMs, revertedAtMs, ports));
  const fromMs = toMinute(revertedAtMs + arrivesMs);
  const scope = { ...(agent === null ? {} : { agent }), ...(tool === undefined ? {} : { tool }) };
  const bins = nowMs <= fromMs ? [] : await ports.rates(metric, { fromMs, toMs: nowMs }, scope);
  return aftermathOf(finding, bins, { revertedAtMs, nowMs, usual: before?.usual });
}

/** What was usual for this series before the change, by the time of day; undefined where that is not known any more. */
async function beforeOf(
  proposalId: string,
  found: {
    readonly metric: string;
    readonly agent: string | null;
    readonly tool?: string | undefined;
  },
  { store }: Ports,
): Promise<{ readonly startedAtMs: number; readonly usual: Norm | undefined } | undefined> {
  const watch = await readWatch(store, proposalId);
  if (watch === undefined) return undefined;
  const { startedAtMs, series } = await readBaseline(store, watch.baselineDigest);
  const own = series.find(
    ({ metric, agent, tool }) =>
      metric === found.metric && agent === found.agent && tool === found.tool,
  );
  const endMs = Math.floor(startedAtMs / HOUR_MS) * HOUR_MS;
  const hours = (own?.hours ?? []).map((hour, at, all) => ({
    ...hour,
    atMs: endMs - (all.length - at) * HOUR_MS,
  }));
  return { startedAtMs, usual: sum(hours).all === 0 ? undefined : normOf(hours) };
}

/** What was begun with the change goes on for as long as calls took with it, and so does what waited for those. */
export async function drainMs(
  startedAtMs: number | undefined,
  revertedAtMs: number,
  { callHours }: Pick<Ports, 'callHours'>,
): Promise<number> {
  if (startedAtMs === undefined) return 0;
  const calls = await callHours({ fromMs: startedAtMs, toMs: revertedAtMs });
  const took = calls.flatMap(({ hours }) =>
    hours.flatMap(({ timed, timedWell, latencySumMs, latencyWellMs }) => [
      timed === 0 ? 0 : latencySumMs / timed,
      timed === timedWell ? 0 : (latencySumMs - latencyWellMs) / (timed - timedWell),
    ]),
  );
  return Math.ceil(2 * took.reduce((most, one) => Math.max(most, one), 0));
}

type Worse = NonNullable<z.output<typeof reportSchema>['series'][number]['finding']>;

/** What counts since the rollback say of what it was taken back for. */
export function aftermathOf(
  finding: Worse,
  bins: readonly RateBin[],
  {
    revertedAtMs,
    nowMs,
    usual,
  }: {
    readonly revertedAtMs: number;
    readonly nowMs: number;
    readonly usual?: (Count & Pick<Norm, 'factorAt' | 'dispersion'>) | undefined;
  },
): Aftermath {
  const later = { say: 'waiting', dueAtMs: nowMs + LOOK_AGAIN_MS } as const;
  const isLate = nowMs - revertedAtMs > LONGEST_MS;
  const forHarm = bins.map(testOf(finding, usual));
  const first = firstDecided(bins, forHarm);
  if (first === undefined)
    return isLate
      ? { say: 'unknown', did: 'Too little was heard of it since to tell whether it went on.' }
      : { ...later, did: 'It is looked at whether the failures go on without it.' };
  if (!first.wentOn)
    return { say: 'unknown', did: 'The failures ended with it, or at the same time.' };
  // What showed that they went on does not show that they are over.
  const last = lastWell(bins, { from: first.to, forHarm, nowMs });
  if (last === undefined)
    return isLate
      ? { say: 'unknown', did: 'The failures go on without it, for longer than an outage lasts.' }
      : { ...later, did: 'The failures go on without it. It may come back when they are over.' };
  const sinceMs = last[0]!.atMs;
  const over =
    sinceMs >= nowMs - 2 * WELL_MS
      ? `were over at ${isoTime(nowMs)}`
      : `are over by the last ${sum(last).all} events, which came since ${isoTime(sinceMs)}`;
  return {
    say: 'cleared',
    did: `The failures went on for a time without it and ${over}: they were not its doing.`,
  };
}

/** How much more likely a minute is at the harm's rate than at the usual one, as a logarithm. */
function testOf(
  { observed, expectedBad }: Worse,
  usual: (Count & Pick<Norm, 'factorAt' | 'dispersion'>) | undefined,
): (bin: RateBin) => number {
  const times = observed.bad / Math.max(0.5, expectedBad);
  const rate =
    usual === undefined
      ? Math.max(0.5, expectedBad) / Math.max(1, observed.all)
      : (usual.bad + 0.5) / (usual.all + 1);
  return ({ atMs, bad, all }) => {
    const well = Math.min(0.9, rate * (usual?.factorAt(atMs) ?? 1));
    const ill = Math.min(0.99, Math.max(well * times, well + 0.01));
    const llr = bad * Math.log(ill / well) + (all - bad) * Math.log((1 - ill) / (1 - well));
    return llr / (usual?.dispersion ?? 1);
  };
}

/** The series that it was taken back for. */
async function worstOf(digest: string, store: Store) {
  const { content } = await readArtifact(store, digest);
  const report = reportSchema.safeParse(JSON.parse(Buffer.from(content).toString()));
  const worse = report.success ? report.data.series.find((one) => one.finding !== null) : undefined;
  return worse === undefined ? undefined : { ...worse, finding: worse.finding! };
}

/** The first minutes by which it is decided whether it went on. */
function firstDecided(
  bins: readonly RateBin[],
  forHarm: readonly number[],
): { readonly wentOn: boolean; readonly to: number } | undefined {
  let [events, llr] = [0, 0];
  for (const [at, { all }] of bins.entries()) {
    events += all;
    llr += forHarm[at]!;
    if (events < EVENTS_MIN) continue;
    if (llr >= SURE_ON) return { wentOn: true, to: at + 1 };
    if (llr <= -SURE) return { wentOn: false, to: at + 1 };
  }
  return undefined;
}

/** The newest minutes that show that it is over, however long they took: little traffic is over too. */
function lastWell(
  bins: readonly RateBin[],
  {
    from,
    forHarm,
    nowMs,
  }: { readonly from: number; readonly forHarm: readonly number[]; readonly nowMs: number },
): RateBin[] | undefined {
  let [events, llr] = [0, 0];
  for (let at = bins.length - 1; at >= from; at--) {
    events += bins[at]!.all;
    llr += forHarm[at]!;
    const isLong = bins[at]!.atMs < nowMs - WELL_MS;
    if (isLong && events >= EVENTS_MIN && llr <= -SURE) return bins.slice(at);
  }
  return undefined;
}

const toMinute = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
