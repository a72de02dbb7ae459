/**
 * The sanitiser on labelled personal data. Kinds with a form of their own (e-mail, telephone, card, IBAN, national id,
 * network address, URL) are pooled into one F1; names and addresses have none, are not looked for, and are reported apart.
 * A label is found when something of its kind overlaps it; what is found and overlaps no label of its kind is wrong.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReplacedKind, replacedSpans } from '../src/sanitise/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';

const RULES = { allowedDomains: [], allowedPaths: [], redactUuids: false };

/** Label types of the data, and the kinds of the sanitiser that answer to them. */
const STRUCTURED: Readonly<Record<string, readonly ReplacedKind[]>> = {
  EMAIL_ADDRESS: ['email'],
  PHONE_NUMBER: ['phone'],
  CREDIT_CARD: ['card'],
  IBAN_CODE: ['iban'],
  US_SSN: ['national_id'],
  NATIONAL_ID: ['national_id'],
  IP_ADDRESS: ['address'],
  DOMAIN_NAME: ['url'],
  URL: ['url', 'connection'],
};
const KINDS = new Set(Object.values(STRUCTURED).flat());

interface Label {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

interface Case {
  readonly text: string;
  readonly spans: readonly Label[];
}

interface Tally {
  found: number;
  missed: number;
  wrong: number;
}

export const measurement: Measurement = {
  what: 'personal data found: structured kinds, and names and addresses apart',
  aims: { structured_f1: '>=0.95' },
  run,
};

async function* run(context: Context): AsyncGenerator<Figure> {
  const total: Tally = { found: 0, missed: 0, wrong: 0 };
  const byType = new Map<string, Tally>();
  const others = new Map<string, Tally>();
  for (const one of casesIn(context.dataDir('.'))) count(one, { total, byType, others });
  yield { metric: 'structured_f1', set: 'total', value: f1(total), n: total.found + total.missed };
  yield {
    metric: 'structured_recall',
    set: 'total',
    value: recall(total),
    n: total.found + total.missed,
  };
  yield {
    metric: 'structured_precision',
    set: 'total',
    value: precision(total),
    n: total.found + total.wrong,
  };
  for (const [set, tally] of [...byType].sort())
    yield { metric: 'f1', set, value: f1(tally), n: tally.found + tally.missed };
  for (const [set, tally] of [...others].sort())
    yield {
      metric: 'recall',
      set,
      value: recall(tally),
      n: tally.found + tally.missed,
      note: 'has no form of its own',
    };
}

function casesIn(folder: string): Case[] {
  const lines = readFileSync(join(folder, 'pii.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Case);
}

interface Tallies {
  readonly total: Tally;
  readonly byType: Map<string, Tally>;
  readonly others: Map<string, Tally>;
}

function count({ text, spans }: Case, { total, byType, others }: Tallies): void {
  const found = replacedSpans(text, RULES);
  for (const label of spans) {
    const kinds = STRUCTURED[label.type];
    const isFound = found.some(
      (span) => overlaps(span, label) && (kinds === undefined || kinds.includes(span.kind)),
    );
    const tallies =
      kinds === undefined ? [tallyOf(others, label.type)] : [total, tallyOf(byType, label.type)];
    for (const tally of tallies) tally[isFound ? 'found' : 'missed'] += 1;
  }
  for (const span of found) {
    if (!KINDS.has(span.kind)) continue;
    const isLabelled = spans.some(
      (label) => overlaps(span, label) && STRUCTURED[label.type]?.includes(span.kind) === true,
    );
    if (isLabelled) continue;
    total.wrong += 1;
    const type = Object.entries(STRUCTURED).find(([, kinds]) => kinds.includes(span.kind))![0];
    tallyOf(byType, type).wrong += 1;
  }
}

function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key) ?? { found: 0, missed: 0, wrong: 0 };
  tallies.set(key, known);
  return known;
}

function recall({ found, missed }: Tally): number {
  return found + missed === 0 ? 1 : found / (found + missed);
}

function precision({ found, wrong }: Tally): number {
  return found + wrong === 0 ? 1 : found / (found + wrong);
}

function f1(tally: Tally): number {
  const { found, missed, wrong } = tally;
  return found === 0 ? 0 : (2 * found) / (2 * found + missed + wrong);
}
