/**
 * The scoring of the Numenta Anomaly Benchmark (Lavin and Ahmad 2015), rule by rule:
 *
 * - the first 15 % of a file, at most 750 points, is probation: detections there do not count;
 * - a window earns its best detection, by a sigmoid of the position: 1 at its first point, near 0 at
 *   its last; a window without detection costs the profile's weight of a miss;
 * - a detection outside costs the profile's weight of a false alarm, less when it comes shortly after
 *   a window (the same sigmoid, measured in widths of that window);
 * - the sum is scaled so that a detector that says nothing gets 0 and a perfect one 100.
 */

export interface NabProfile {
  readonly name: string;
  readonly hit: number;
  readonly falseAlarm: number;
  readonly miss: number;
}

export const NAB_PROFILES: readonly NabProfile[] = [
  { name: 'nab_standard', hit: 1, falseAlarm: 0.11, miss: 1 },
  { name: 'nab_low_fp', hit: 1, falseAlarm: 0.22, miss: 1 },
  { name: 'nab_low_fn', hit: 1, falseAlarm: 0.11, miss: 2 },
];

/** A window by the indices of its first and last point, both inside. */
export interface IndexWindow {
  readonly first: number;
  readonly last: number;
}

export interface FileTally {
  readonly raw: number;
  readonly windows: number;
  readonly windowsHit: number;
  readonly falseAlarms: number;
}

export function probationLength(points: number): number {
  return Math.min(Math.floor(0.15 * points), 750);
}

/** 1 far before the zero of the axis, -1 far behind it; exactly -1 beyond three widths. */
export function scaledSigmoid(position: number): number {
  return position > 3 ? -1 : 2 / (1 + Math.exp(5 * position)) - 1;
}

/** The raw score of one file. `detections` are the indices of points that raised an alarm. */
export function tallyFile(
  points: number,
  windows: readonly IndexWindow[],
  detections: readonly number[],
  profile: NabProfile,
): FileTally {
  const start = probationLength(points);
  const best = new Map<IndexWindow, number>();
  let penalty = 0;
  let falseAlarms = 0;
  for (const index of detections) {
    if (index < start) continue;
    const inside = windows.find((window) => index >= window.first && index <= window.last);
    if (inside !== undefined) {
      best.set(inside, Math.max(best.get(inside) ?? -Infinity, earned(index, inside)));
      continue;
    }
    falseAlarms += 1;
    penalty += lost(index, windows);
  }
  const scored = windows.filter((window) => window.last >= start);
  let raw = penalty * profile.falseAlarm;
  for (const window of scored) {
    const hit = best.get(window);
    raw += hit === undefined ? -profile.miss : hit * profile.hit;
  }
  return { raw, windows: windows.length, windowsHit: best.size, falseAlarms };
}

function earned(index: number, window: IndexWindow): number {
  const width = window.last - window.first + 1;
  return scaledSigmoid(-(window.last - index + 1) / width) / scaledSigmoid(-1);
}

/** Negative, in units of one false alarm; before the first window nothing softens it. */
function lost(index: number, windows: readonly IndexWindow[]): number {
  let previous: IndexWindow | undefined;
  for (const window of windows)
    if (window.last < index && window.last > (previous?.last ?? -1)) previous = window;
  if (previous === undefined) return -1;
  return scaledSigmoid((index - previous.last) / (previous.last - previous.first));
}

/** 0 for silence, 100 for the first point of every window and nothing else. */
export function normalisedScore(tallies: readonly FileTally[], profile: NabProfile): number {
  const windows = tallies.reduce((sum, tally) => sum + tally.windows, 0);
  const raw = tallies.reduce((sum, tally) => sum + tally.raw, 0);
  const silence = -profile.miss * windows;
  const perfect = profile.hit * windows;
  return perfect === silence ? 0 : (100 * (raw - silence)) / (perfect - silence);
}
