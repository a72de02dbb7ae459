/**
 * What a runtime wraps around a line of a container: docker's `json-file`, the lines of Kubernetes (CRI). Long lines
 * come in parts there.
 */
import { timeOf } from '../../reading/times.ts';
import { type Fields, own } from '../../reading/values.ts';

export interface Unwrapped {
  readonly text: string;
  readonly atMs: number | undefined;
  /** More of the same line follows. */
  readonly isPart: boolean;
}

/** `{"log":"…\n","stream":"stdout","time":"…"}`. */
export function dockerLine(record: Fields): Unwrapped | undefined {
  const [text, stream, time] = [own(record, 'log'), own(record, 'stream'), own(record, 'time')];
  if (typeof text !== 'string' || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  return { text: text.replace(/\r?\n$/, ''), atMs: timeOf(time), isPart: !text.endsWith('\n') };
}

/** `2026-11-17T09:12:01.332123456Z stderr F …`. */
export function criLine(line: string): Unwrapped | undefined {
  const found =
    /^(\d{4}-\d{2}-\d{2}T[0-9:.]{8,24}(?:Z|[+-]\d{2}:\d{2})) (?:stdout|stderr) ([FP])(?::\S{1,40})? /.exec(
      line,
    );
  if (found === null) return undefined;
  return { text: line.slice(found[0].length), atMs: timeOf(found[1]), isPart: found[2] === 'P' };
}
