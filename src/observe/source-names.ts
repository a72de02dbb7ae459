/** Which names in a folder are telemetry, what rotation made of them, and in which order they are read. */
import { stemOf } from './cursors.ts';

/** `a.jsonl`, and what it is rotated to: `a.jsonl.1`, `a.jsonl-20260302`, `a.jsonl.old`. */
const TELEMETRY = /\.jsonl(?:[.-]\d[\dT_.:-]{0,30}|\.old)?$/;
const COMPRESSED = /\.jsonl(?:[.-][\w.-]{1,40})?\.(?:gz|zst|bz2|xz|lz4|zip|Z)$/;

export function isTelemetry(name: string): boolean {
  return TELEMETRY.test(name);
}

export function isCompressed(name: string): boolean {
  return COMPRESSED.test(name);
}

/** Whether a file beside a source's one file is what it was rotated to. */
export function isRotatedFrom(name: string, sourceName: string): boolean {
  return name !== sourceName && stemOf(name) === stemOf(sourceName);
}

/**
 * By name; of one log, what was rotated before what took its place, the oldest first. So a copy is read
 * before the file it was made of goes on.
 */
export function inReadingOrder(a: string, b: string): number {
  const [one, other] = [orderOf(a), orderOf(b)];
  if (one.log !== other.log) return one.log < other.log ? -1 : 1;
  return other.generation - one.generation || (a < b ? -1 : a > b ? 1 : 0);
}

/** Of `a.jsonl.12` the generation is 12: the higher, the older. Other suffixes are in the order of time. */
function orderOf(name: string): { log: string; generation: number } {
  const [, log, suffix] = /^(.*\.jsonl)(.*)$/.exec(name) ?? [];
  if (log === undefined || suffix === undefined) return { log: name, generation: 0 };
  if (suffix === '') return { log, generation: 0 };
  const number = /^\.(\d{1,4})$/.exec(suffix)?.[1];
  return { log, generation: number === undefined ? 0.5 : Number(number) };
}
