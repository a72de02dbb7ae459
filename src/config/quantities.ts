/**
 * Durations (`500ms`, `90s`, `5m`, `24h`, `7d`, `2w`) and sizes (`500MB`, `256KiB`): read, written
 * back, and as types for `field()`. In the configuration they are milliseconds and bytes. A bare
 * number is refused: nobody should have to guess its unit.
 */

import { z } from 'zod';
import { assert } from '../base/index.ts';
import { noted } from './fields.ts';

type Units = Readonly<Record<string, number>>;

const MILLISECONDS: Units = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const BYTES: Units = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  KiB: 2 ** 10,
  MB: 1e6,
  MiB: 2 ** 20,
  GB: 1e9,
  GiB: 2 ** 30,
  TB: 1e12,
  TiB: 2 ** 40,
};

/** Units that texts are written back in, from large to small; weeks and binary sizes only read. */
const DURATION_STEPS = ['d', 'h', 'm', 's', 'ms'];
const SIZE_STEPS = ['TB', 'GB', 'MB', 'kB', 'B'];

export interface Range {
  readonly min: string;
  readonly max: string;
}

/** A duration within bounds; milliseconds in the configuration. */
export function duration(range: Range) {
  return quantity('duration', range, parseDuration, formatDuration);
}

/** A size within bounds; bytes in the configuration. */
export function byteSize(range: Range) {
  return quantity('size', range, parseSize, formatSize);
}

export function parseDuration(text: string): number | undefined {
  return read(text, MILLISECONDS);
}

export function parseSize(text: string): number | undefined {
  return read(text, BYTES);
}

/** The shortest exact form, read back as the same number; `48h` comes back as `2d`. */
export function formatDuration(ms: number): string {
  return write(ms, MILLISECONDS, DURATION_STEPS);
}

export function formatSize(bytes: number): string {
  return write(bytes, BYTES, SIZE_STEPS);
}

function read(text: string, units: Units): number | undefined {
  const [, digits, unit] = /^(\d{1,12})([A-Za-z]{1,3})$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined || !Object.hasOwn(units, unit)) return undefined;
  const value = Number(digits) * (units[unit] ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

function write(value: number, units: Units, steps: readonly string[]): string {
  const smallest = steps.at(-1) ?? '';
  if (value === 0) return `0${steps.at(-1) === 'ms' ? 's' : smallest}`;
  const unit = steps.find((step) => value % (units[step] ?? 1) === 0) ?? smallest;
  return `${value / (units[unit] ?? 1)}${unit}`;
}

function quantity(
  name: 'duration' | 'size',
  { min, max }: Range,
  parse: (text: string) => number | undefined,
  format: (value: number) => string,
) {
  const [lowest, highest] = [parse(min), parse(max)];
  assert(lowest !== undefined && highest !== undefined && lowest <= highest, `${min} to ${max}`);
  const example = name === 'duration' ? '90s, 5m, 24h or 7d' : '500kB, 500MB or 2GB';
  const schema = z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined && value >= lowest && value <= highest) return value;
    const problem = value === undefined ? 'bad_form' : 'out_of_range';
    context.addIssue({ code: 'custom', params: { problem } });
    return z.NEVER;
  });
  const expects = `a ${name} from ${min} to ${max}, written like ${example}`;
  return noted(schema, { expects, write: format });
}
