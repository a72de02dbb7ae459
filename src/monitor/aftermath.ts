/**
 * After a change was taken back in doubt: the rollback was an experiment. If what failed goes on failing without the
 * change, something else did it, and the change may come back as soon as that is over. If it ended with the rollback,
 * nobody can say which of the two ended it: it stays in doubt.
 */
import { z } from 'zod';
import { readArtifact } from '../artifact/index.ts';
import { isoTime } from '../base/index.ts';
import { RATE_METRICS, type RateBin } from '../facts/index.ts';
import { type Dossier, rollbackCall, rollbackOutcome } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { sum } from './season.ts';
import type { MonitorPorts } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Events that show whether it goes on, and that it is over. */
const EVENTS_MIN = 20;
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

/** For a proposal that was taken back in doubt. */
export async function lookAtAftermath(
  { proposal, attestations }: Dossier,
  ports: Pick<MonitorPorts, 'store' | 'rates' | 'nowMs'>,
): Promise<Aftermath> {
  const { store, nowMs } = ports;
  const revertedAtMs = rollbackOutcome(attestations, proposal.digest)?.atMs;
  const [digest] = rollbackCall(attestations, proposal.digest)?.artifacts ?? [];
  const found = digest === undefined ? undefined : await worstOf(digest, store);
  if (revertedAtMs === undefined || found === undefined)
    return { say: 'unknown', did: 'What it was taken back for is not known.' };
  const { metric, agent, tool, finding } = found;
  const fromMs = toMinute(revertedAtMs + ARRIVES_MS);
  const scope = { ...(agent === null ? {} : { agent }), ...(tool === undefined ? {} : { tool }) };
  const bins = nowMs <= fromMs ? [] : await ports.rates(metric, { fromMs, toMs: nowMs }, scope);
  return aftermathOf(finding, bins, { revertedAtMs, nowMs });
}

type Worse = NonNullable<z.output<typeof reportSchema>['series'][number]['finding']>;

/** What counts since the rollback say of what it was taken back for. */
export function aftermathOf(
  finding: Worse,
  bins: readonly RateBin[],
  { revertedAtMs, nowMs }: { readonly revertedAtMs: number; readonly nowMs: number },
): Aftermath {
  const harmRate = finding.observed.bad / Math.max(1, finding.observed.all);
  const usualRate = finding.expectedBad / Math.max(1, finding.observed.all);
  // Nearer to the harm than to what is usual.
  const isIll = ({ bad, all }: { bad: number; all: number }) =>
    bad > ((harmRate + usualRate) / 2) * all;
  const later = { say: 'waiting', dueAtMs: nowMs + LOOK_AGAIN_MS } as const;
  const isLate = nowMs - revertedAtMs > LONGEST_MS;
  const first = firstOf(bins);
  if (first === undefined)
    return isLate
      ? { say: 'unknown', did: 'Nothing was heard of it since.' }
      : { ...later, did: 'It is looked at whether the failures go on without it.' };
  if (!isIll(sum(first)))
    return { say: 'unknown', did: 'The failures ended with it, or at the same time.' };
  // What showed that they went on does not show that they are over.
  const isLater = first.at(-1)!.atMs < nowMs - WELL_MS;
  const last = isLater ? lastOf(bins.slice(first.length), nowMs) : undefined;
  if (last === undefined || isIll(sum(last)))
    return isLate
      ? { say: 'unknown', did: 'The failures go on without it, for longer than an outage lasts.' }
      : { ...later, did: 'The failures go on without it. It may come back when they are over.' };
  const sinceMs = last[0]!.atMs;
  const over =
    sinceMs >= nowMs - WELL_MS
      ? `were over at ${isoTime(nowMs)}`
      : `are over by the last ${sum(last).all} events, which came since ${isoTime(sinceMs)}`;
  return {
    say: 'cleared',
    did: `The failures went on for a time without it and ${over}: they were not its doing.`,
  };
}

/** The series that it was taken back for. */
async function worstOf(digest: string, store: Store) {
  const { content } = await readArtifact(store, digest);
  const report = reportSchema.safeParse(JSON.parse(Buffer.from(content).toString()));
  const worse = report.success ? report.data.series.find((one) => one.finding !== null) : undefined;
  return worse === undefined ? undefined : { ...worse, finding: worse.finding! };
}

/** The first minutes that have enough events. */
function firstOf(bins: readonly RateBin[]): RateBin[] | undefined {
  let events = 0;
  for (const [at, { all }] of bins.entries()) {
    events += all;
    if (events >= EVENTS_MIN) return bins.slice(0, at + 1);
  }
  return undefined;
}

/** The newest minutes that have enough events and are long enough, however long they took: little traffic is over too. */
function lastOf(bins: readonly RateBin[], nowMs: number): RateBin[] | undefined {
  let [from, events] = [bins.length, 0];
  while (from > 0 && (events < EVENTS_MIN || bins[from - 1]!.atMs >= nowMs - WELL_MS)) {
    from -= 1;
    events += bins[from]!.all;
  }
  return events < EVENTS_MIN ? undefined : bins.slice(from);
}

const toMinute = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
