/**
 * Reads a folder in the neutral format of the anomaly data: `<group>/<name>.csv` with `timestamp,value`
 * and one `windows.json` that lists, per file, the first and last timestamp of each true window.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { IndexWindow } from './nab.ts';

export interface LabelledSeries {
  readonly name: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly windows: readonly IndexWindow[];
}

export function readCorpus(folder: string): readonly LabelledSeries[] {
  const labels = JSON.parse(readFileSync(join(folder, 'windows.json'), 'utf8')) as Record<
    string,
    readonly (readonly [string, string])[]
  >;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.csv'))
    .map((file) => relative('.', file).replaceAll('\\', '/'))
    .sort()
    .map((name) => readSeries(join(folder, name), name, labels[name] ?? []));
}

function readSeries(
  path: string,
  name: string,
  limits: readonly (readonly [string, string])[],
): LabelledSeries {
  const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  const timesMs = new Float64Array(rows.length);
  const values = new Float64Array(rows.length);
  rows.forEach((row, index) => {
    const comma = row.lastIndexOf(',');
    timesMs[index] = utcMs(row.slice(0, comma));
    const cell = row.slice(comma + 1).trim();
    values[index] = cell === '' ? Number.NaN : Number(cell);
  });
  const windows = limits.map(([first, last]) => indexWindow(timesMs, utcMs(first), utcMs(last)));
  const lost = windows.findIndex((window) => window.first < 0 || window.last < window.first);
  if (lost >= 0)
    throw new Error(`${name}: window ${limits[lost]?.join(' to ')} is not in the file.`);
  return { name, timesMs, values, windows };
}

/** The rows with exactly these times, as NAB looks them up, else the nearest rows inside. */
function indexWindow(timesMs: Float64Array, firstMs: number, lastMs: number): IndexWindow {
  const first = timesMs.indexOf(firstMs);
  const last = timesMs.indexOf(lastMs);
  return {
    first: first >= 0 ? first : timesMs.findIndex((timeMs) => timeMs >= firstMs),
    last: last >= 0 ? last : timesMs.findLastIndex((timeMs) => timeMs <= lastMs),
  };
}

/** `2014-04-10 16:15:00` or with a fraction, read as UTC: files name no zone. */
function utcMs(text: string): number {
  return Date.parse(`${text.trim().replace(' ', 'T').slice(0, 19)}Z`);
}
