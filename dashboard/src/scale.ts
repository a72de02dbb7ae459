/** The axes of charts: round ends, and labels that neither touch nor repeat. */
import { dayOf, timeOfDay } from './format.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** A label and the room around it. */
const LABEL_PX = 90;
const STEPS = [1, 3, 6, 12, 24, 48, 168, 336, 720];

/** A round number above the share. */
export function ceiling(value: number): number {
  if (value <= 0) return 0.05;
  const step = 10 ** Math.floor(Math.log10(value));
  const found = [1, 2, 2.5, 5, 10].find((one) => one * step >= value * 1.05) ?? 10;
  return Math.min(1, found * step);
}

/** Exact enough that half of a round number is not rounded to another one. */
export const axisShare = (share: number) =>
  `${(share * 100).toLocaleString(undefined, { maximumSignificantDigits: 3 })} %`;

export interface Tick {
  readonly ms: number;
  readonly label: string;
}

/** Every few hours or days of the viewer's calendar. Midnight is labelled by its day, so no label stands twice a day. */
export function ticks(fromMs: number, toMs: number, width: number): Tick[] {
  const most = Math.max(2, Math.floor(width / LABEL_PX));
  const hours = (toMs - fromMs) / HOUR_MS;
  const step = STEPS.find((one) => hours / one <= most) ?? STEPS.at(-1)!;
  // One at the very edge would be cut off.
  const lastMs = toMs - (toMs - fromMs) * (28 / Math.max(1, width));
  const start = new Date(fromMs);
  const found: Tick[] = [];
  // By the calendar, not by adding hours: a day on which clocks change has 23 or 25.
  for (let at = 0; ; at += step) {
    const day = start.getDate() + Math.floor(at / DAY_HOURS);
    const ms = new Date(start.getFullYear(), start.getMonth(), day, at % DAY_HOURS).getTime();
    if (ms > lastMs) return found;
    if (ms < fromMs || ms === found.at(-1)?.ms) continue;
    found.push({ ms, label: new Date(ms).getHours() === 0 ? dayOf(ms) : timeOfDay(ms) });
  }
}

/** A time since the start, in the unit that suits the whole. */
export function axisTime(ms: number, totalMs: number): string {
  const [unit, name] =
    totalMs < 1000 ? [1, 'ms'] : totalMs < 120_000 ? [1000, 's'] : [60_000, 'min'];
  return `${(ms / unit).toLocaleString('en', { maximumFractionDigits: totalMs / unit < 10 ? 1 : 0 })} ${name}`;
}
