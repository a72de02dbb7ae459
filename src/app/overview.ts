/** Is the fleet getting better? Calls and failures by the hour, and what happened meanwhile. */
import { isoTime } from '../base/index.ts';
import type { Overview, OverviewInput } from '../contracts/overview.ts';
import { listPatterns, readPattern } from '../diagnose/index.ts';
import type { CallHours, Window } from '../facts/index.ts';
import { rateChange } from '../health/index.ts';
import { Telemetry } from '../observe/index.ts';
import { AT_THE_TARGET, listProposals, readAttestations } from '../proposal/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { type AppContext, withLoop } from './context.ts';

const DAY_MS = 86_400_000;
/** More than a chart can show apart. */
const MARKS_MAX = 100;

type Mark = Overview['marks'][number];

export function overview(context: AppContext, { days }: OverviewInput): Promise<Overview> {
  return withLoop(context, {}, async ({ store }, { ports }) => {
    const toMs = await ports.telemetry.nowMs();
    const window = { fromMs: toMs - days * DAY_MS, toMs };
    const hours = byHour(await new Telemetry(ports.telemetry).callHours(window));
    // Of the time that there is telemetry of: an installation is younger than what is asked for at first.
    const firstMs = Math.max(window.fromMs, hours[0]?.atMs ?? window.fromMs);
    const half = (firstMs + toMs) / 2;
    const tally = (some: typeof hours) => ({
      calls: some.reduce((sum, { calls }) => sum + calls, 0),
      failed: some.reduce((sum, { failed }) => sum + failed, 0),
    });
    const [before, now] = [
      hours.filter(({ atMs }) => atMs < half),
      hours.filter(({ atMs }) => atMs >= half),
    ];
    const change = rateChange(before, now);
    const marks = [...(await changesIn(store, window)), ...(await foundIn(store, window))];
    return {
      from: isoTime(window.fromMs),
      to: isoTime(toMs),
      hours: hours.map(({ atMs, calls, failed }) => ({ at: isoTime(atMs), calls, failed })),
      now: tally(now),
      before: tally(before),
      change: change && { ...change.interval, verdict: change.verdict },
      marks: marks.sort((a, b) => (a.at < b.at ? -1 : 1)),
    };
  });
}

/** Of all places together, ascending. */
export function byHour(all: readonly CallHours[]) {
  const sums = new Map<number, { calls: number; failed: number }>();
  for (const { atMs, calls, failed } of all.flatMap(({ hours }) => hours)) {
    const known = sums.get(atMs) ?? { calls: 0, failed: 0 };
    sums.set(atMs, { calls: known.calls + calls, failed: known.failed + failed });
  }
  return [...sums].map(([atMs, of]) => ({ atMs, ...of })).sort((a, b) => a.atMs - b.atMs);
}

async function changesIn(store: Store, { fromMs }: Window): Promise<Mark[]> {
  const states = [...AT_THE_TARGET, 'reverted'] as const;
  const reached = await listProposals(store, { states, limit: MARKS_MAX });
  const marks = reached.map(async ({ id, title }) => {
    const done = (await readAttestations(store, id)).filter(
      ({ kind, verdict, atMs }) =>
        atMs >= fromMs && verdict === 'done' && (kind === 'deployment' || kind === 'rollback'),
    );
    return done.map(({ kind, atMs }): Mark => {
      const what = kind === 'rollback' ? 'rolled_back' : 'deployed';
      return { at: isoTime(atMs), kind: what, title, id };
    });
  });
  return (await Promise.all(marks)).flat();
}

/** Where a failure began at a known time, there; else when it was first seen. */
async function foundIn(store: Store, { fromMs }: Window): Promise<Mark[]> {
  const rows = await listPatterns(store, MARKS_MAX);
  const marks = rows.map(async ({ id }): Promise<Mark[]> => {
    const pattern = await readPattern(store, id);
    const atMs = pattern?.whyNow?.since?.atMs ?? pattern?.firstAtMs ?? 0;
    if (pattern === undefined || atMs < fromMs) return [];
    return [{ at: isoTime(atMs), kind: 'found', title: mask(pattern.title).text, id }];
  });
  return (await Promise.all(marks)).flat();
}
