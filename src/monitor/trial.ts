/**
 * Whether a trial of a longer time limit brings something (ADR 225): of the calls that go on for as long as the old limit let them,
 * which were all cut off, how many end now. Counted call by call, so that neither what else fails nor what a failure is called has
 * a part in it: also what somebody else cuts off soon after failed.
 *
 *   surely less than a tenth ─► taken back · a day over ─► taken back where it is less than a tenth, else it stays
 */
import { type RecentCall, stepOf } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { wilsonInterval } from '../stats/index.ts';
import type { MonitorPorts } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** It is over then, whatever was seen. */
export const TRIAL_MS = 24 * HOUR_MS;
/** Agents get the new version within this time. */
const ARRIVES_MS = 10 * MINUTE_MS;
/** Less of what was cut off is not worth waiting longer for. */
const CAUGHT_MIN = 0.1;
/** No trial is a larger step: as much where the value is written in a way that is not read here. */
const TIMES_MAX = 4;
/** How long calls take is known to some percent. */
const BEYOND = 1.1;

interface Seen {
  readonly ended: number;
  readonly failed: number;
}

/** Why it is taken back, in a sentence; undefined where it is no trial, or stays for now. */
export async function vainTrial(
  dossier: Dossier,
  startedAtMs: number,
  ports: Pick<MonitorPorts, 'answers' | 'callHours' | 'recentCalls' | 'nowMs'>,
): Promise<string | undefined> {
  const { trial, change } = dossier.content;
  if (trial === undefined || change.kind !== 'set_value') return undefined;
  const place = await ports.answers(dossier);
  if (place?.tool === undefined) return undefined;
  const { agent, tool } = place;
  const overMs = startedAtMs + TRIAL_MS;
  const window = { fromMs: startedAtMs + ARRIVES_MS, toMs: Math.min(ports.nowMs, overMs) };
  if (window.toMs <= window.fromMs) return undefined;
  const hours = (await ports.callHours(window)).filter((one) => one.tool === tool);
  const calls = hours.flatMap((one) => one.hours).reduce((sum, hour) => sum + hour.calls, 0);
  const recent = (await ports.recentCalls(window, [{ tool, calls }])).get(tool) ?? [];
  const step = stepOf(change);
  const times = step === undefined ? TIMES_MAX : step.to / step.from;
  // What began later may still go on, and would count only where it ended soon.
  const untilMs = window.toMs - times * trial.cutOffMs;
  const own = recent.filter(
    (one) => one.agent === agent && one.startMs >= window.fromMs && one.startMs <= untilMs,
  );
  return whyVain(seenOf(own, trial.cutOffMs), { isOver: ports.nowMs >= overMs });
}

export function seenOf(calls: readonly RecentCall[], cutOffMs: number): Seen {
  const long = calls.filter(({ startMs, endMs }) => endMs - startMs >= cutOffMs);
  const ended = long.filter(
    ({ startMs, endMs, failedWith }) => failedWith === null && endMs - startMs > BEYOND * cutOffMs,
  );
  return {
    ended: ended.length,
    failed: long.filter(({ failedWith }) => failedWith !== null).length,
  };
}

export function whyVain(
  { ended, failed }: Seen,
  { isOver }: { readonly isOver: boolean },
): string | undefined {
  const all = ended + failed;
  const of = `of ${all} calls that went on for as long as the limit was before, ${ended} ended`;
  const isSure = all > 0 && wilsonInterval({ failures: ended, events: all }).high < CAUGHT_MIN;
  if (isSure)
    return `It was a trial, and brought nothing: ${of}. That is surely less than a tenth.`;
  if (!isOver || (all > 0 && ended >= CAUGHT_MIN * all)) return undefined;
  return `It was a trial, and a day did not show that it brings anything: ${of}.`;
}
