/**
 * News that can wait. They are stored in the commit they are about, and a schedule sends all of one kind in
 * one batch: its commit deletes the rows and queues the effects, so each is sent exactly once.
 *
 * Told at once are: critical news; what watching and rolling back tell of high severity, because it must not
 * wait while everything is stopped; and every request for a decision, which is not news.
 */
import { sha256Hex } from '../base/index.ts';
import { type EffectDraft, type Severity, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import type { Row, Store, Write } from '../store/index.ts';
import { noticeEffects, toldText } from './notices.ts';
import type { Channels, Notice, Told } from './types.ts';

const TABLE = 'notify_pending';
/** Of one batch; the rest goes with the next. */
const ROWS_MAX = 500;
/** Above this number a batch is sent early, so that the queue stays small. */
const KEPT_MAX = 1000;
/** More than anybody reads in one message; the others are counted. */
const LINES_MAX = 20;
const LINE_MAX = 300;

/** News, sent at once or kept for the next batch. */
export function tellNews(notice: Notice, channels: Channels, nowMs: number): Told {
  const effects = noticeEffects(notice, channels);
  // Told nowhere, it is not kept either.
  if (!canWait(notice) || effects.length === 0) return { effects, writes: [] };
  const { key, to, severity, title, text } = notice;
  const row = {
    recipient: to,
    severity,
    title: short(toldText(title)),
    text: short(toldText(text)),
    at_ms: nowMs,
  };
  return {
    effects: [],
    writes: [{ insert: TABLE, row: { key, ...row }, onConflict: 'ignore' }],
  };
}

function canWait({ severity, step }: Notice): boolean {
  if (severity === 'critical') return false;
  return severity !== 'high' || !UNSTOPPABLE_STEPS.includes(step);
}

export interface BatchOptions {
  readonly severities: readonly Severity[];
  /** The schedule that sends, and the time it sends for. With the oldest row they are the key. */
  readonly schedule: string;
  readonly dueAtMs: number | 'late';
  readonly channels: Channels;
}

/** What waits of these severities, as one notice to each recipient; undefined when nothing does. */
export async function pendingBatch(
  store: Store,
  options: BatchOptions,
): Promise<{ readonly writes: Write[]; readonly effects: EffectDraft[] } | undefined> {
  const { severities } = options;
  const marks = severities.map(() => '?').join(', ');
  const rows = await store.all(
    `SELECT key, recipient, severity, title, text FROM ${TABLE} WHERE severity IN (${marks})
     ORDER BY at_ms, key LIMIT ?`,
    [...severities, ROWS_MAX],
  );
  if (rows.length === 0) return undefined;
  const groups = Map.groupBy(rows, (row) => row['recipient'] as string);
  return {
    writes: rows.map((row) => ({ delete: TABLE, where: { key: row['key']! } })),
    effects: [...groups].flatMap(([to, some]) => batchEffects(to, some, options)),
  };
}

/** A schedule that sends news, and by when it has sent what came at a time. */
export interface Teller<Name extends string = string> {
  readonly schedule: Name;
  readonly severities: readonly Severity[];
  toldByMs(atMs: number): number;
}

/** Those that should have sent something by now, or have more than is kept. */
export async function overdueTellers<T extends Teller>(
  store: Store,
  tellers: readonly T[],
  nowMs: number,
): Promise<T[]> {
  const kept = await store.all(
    `SELECT severity, min(at_ms) AS oldest, count(*) AS many FROM ${TABLE} GROUP BY severity`,
  );
  return tellers.filter(({ severities, toldByMs }) => {
    const some = kept.filter((row) => severities.includes(row['severity'] as Severity));
    if (some.length === 0) return false;
    const many = some.reduce((sum, row) => sum + Number(row['many']), 0);
    const oldestMs = Math.min(...some.map((row) => Number(row['oldest'])));
    return many > KEPT_MAX || toldByMs(oldestMs) <= nowMs;
  });
}

function batchEffects(to: string, rows: readonly Row[], options: BatchOptions): EffectDraft[] {
  const { schedule, dueAtMs, severities, channels } = options;
  const severity = severities.findLast((one) => rows.some((row) => row['severity'] === one))!;
  // With the oldest row: a clock that was set back brings the same time twice, and a known key is not sent again.
  const time = `${dueAtMs}-${digestOf(rows[0]!['key'])}`;
  const left = rows.length - LINES_MAX;
  const lines = rows
    .slice(0, LINES_MAX)
    .map((row) => short(`${oneLine(row['title'])}: ${oneLine(row['text'])}`));
  const notice: Notice = {
    key: `batch/${schedule}/${time}/${digestOf(to)}`,
    to,
    severity,
    title: `${rows.length} ${rows.length === 1 ? 'thing' : 'things'} to know (${schedule})`,
    text: [...lines, ...(left > 0 ? [`And ${left} more.`] : [])].join('\n'),
    step: 'notify',
  };
  return noticeEffects(notice, channels);
}

const digestOf = (value: Row[string] | undefined) => sha256Hex(String(value)).slice(0, 16);

/** Only the batch makes lines: foreign text cannot begin another. */
function oneLine(value: Row[string] | undefined): string {
  return String(value).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
}

function short(text: string): string {
  return text.length > LINE_MAX
    ? `${text.slice(0, LINE_MAX - 1).toWellFormed()}…`
    : text.toWellFormed();
}
