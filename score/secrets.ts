/**
 * The sanitiser on labelled secrets: how many it hides, and how many texts without one it leaves alone.
 * A secret is hidden when no eight characters in a row of it remain. What cuts places (addresses, paths)
 * touches a harmless text on purpose and does not count, nor do rules about people; those are reported.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  PERSONAL_KINDS,
  PLACE_KINDS,
  type Replaced,
  type ReplacedKind,
  sanitise,
} from '../src/sanitise/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';

/** As many characters of a secret as give it away. */
const SEEN_LENGTH = 8;
const RULES = {
  allowedDomains: ['api.openai.com', 'api.anthropic.com', 'github.com'],
  allowedPaths: [],
  redactUuids: false,
};

interface Case {
  readonly text: string;
  readonly secrets: readonly { readonly start: number; readonly end: number }[];
  readonly source?: string;
}

export const measurement: Measurement = {
  what: 'secrets hidden, and texts without secrets left alone',
  aims: { recall: '>=0.97', harmless_kept: '>=0.9' },
  run,
};

interface Tally {
  secrets: number;
  hidden: number;
  harmless: number;
  kept: number;
  withoutPersons: number;
}

async function* run(context: Context): AsyncGenerator<Figure> {
  const tallies = new Map<string, Tally>();
  for (const one of casesIn(context.dataDir('secrets'))) {
    for (const set of ['total', one.source]) {
      if (set === undefined) continue;
      if (!tallies.has(set)) tallies.set(set, emptyTally());
      count(one, tallies.get(set)!);
    }
  }
  for (const [set, tally] of tallies) yield* figures(set, tally);
}

function* casesIn(folder: string): Generator<Case> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  if (files.length === 0) throw new Error(`${folder} holds no .jsonl file`);
  for (const name of files.sort()) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line.trim() !== '') yield JSON.parse(line) as Case;
    }
  }
}

function emptyTally(): Tally {
  return { secrets: 0, hidden: 0, harmless: 0, kept: 0, withoutPersons: 0 };
}

function count({ text, secrets }: Case, tally: Tally): void {
  const { text: clean, replaced } = sanitise(text, RULES);
  tally.secrets += secrets.length;
  for (const { start, end } of secrets) {
    if (!isSeen(text.slice(start, end), clean)) tally.hidden += 1;
  }
  if (secrets.length > 0) return;
  tally.harmless += 1;
  if (!touches(replaced, [...PLACE_KINDS, ...PERSONAL_KINDS])) tally.kept += 1;
  if (!touches(replaced, PLACE_KINDS)) tally.withoutPersons += 1;
}

function isSeen(secret: string, clean: string): boolean {
  if (secret.length <= SEEN_LENGTH) return clean.includes(secret);
  for (let at = 0; at + SEEN_LENGTH <= secret.length; at++) {
    if (clean.includes(secret.slice(at, at + SEEN_LENGTH))) return true;
  }
  return false;
}

function touches(replaced: Replaced, except: readonly ReplacedKind[]): boolean {
  return Object.keys(replaced).some((kind) => !except.includes(kind as ReplacedKind));
}

function* figures(set: string, tally: Tally): Generator<Figure> {
  const { secrets, hidden, harmless, kept, withoutPersons } = tally;
  if (secrets > 0) yield { metric: 'recall', set, value: hidden / secrets, n: secrets };
  if (harmless === 0) return;
  yield { metric: 'harmless_kept', set, value: kept / harmless, n: harmless };
  yield {
    metric: 'harmless_kept_by_all',
    set,
    value: withoutPersons / harmless,
    n: harmless,
    note: 'rules about people counted as well',
  };
}
