/**
 * An entry's bytes: the canonical JSON that is hashed into the tree. The keys are in RFC 8785's order
 * (actor, artifacts, at, data, subject, type, v); `subjectMatches` relies on it.
 */
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import type { Actor, EntryType } from '../facts/index.ts';
import { LedgerError } from './errors.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** The end of the year 9999: later ones are written in a way of their own, which no reader takes. */
const TIME_MS_MAX = 253_402_300_799_999;
/** The last time that can be written down at all. */
const DATE_MS_MAX = 8_640_000_000_000_000;

/** What was found to be right. */
interface CheckedEntry {
  readonly type: EntryType;
  readonly actor: Actor;
  readonly subject: string;
  readonly artifacts: readonly string[];
  readonly data: Json;
  readonly atMs: number;
}

export function bodyText({ type, actor, subject, artifacts, data, atMs }: CheckedEntry): string {
  if (!(atMs >= 0 && atMs <= TIME_MS_MAX)) throw badTime(atMs);
  const at = isoTime(atMs);
  const body = canonicalJson({ actor, artifacts, at, data, subject, type, v: 1 });
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) {
    throw new LedgerError('too_large', `A ${type} entry would take more than 64 KiB.`, {
      hint: 'Put the large part into an artifact and name its digest.',
    });
  }
  return body;
}

function badTime(atMs: number): LedgerError {
  const time = Math.abs(atMs) <= DATE_MS_MAX ? isoTime(atMs) : `${atMs} ms`;
  return new LedgerError('bad_time', `The clock says ${time}, which cannot be right.`, {
    hint: 'Nothing was recorded. Set the clock of this machine (and of the database, if it is on another one), then try again.',
  });
}
