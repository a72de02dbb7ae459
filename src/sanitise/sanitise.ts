/**
 * The sanitiser: no secret, no person's address and no more of a place than is needed stays in a text.
 * Pure, in time linear in the text, and sanitising twice changes nothing. The order of the rules
 * matters: what hides other things goes first, what is known by its own form before what is known by
 * its name, and places last, because they may hold a secret.
 */
import assert from 'node:assert';
import { assignments, elements } from './assignment-rules.ts';
import { commandLines } from './command-rules.ts';
import { percentEscapes, unicodeEscapes } from './encoding-rules.ts';
import { headers, secretsNearWords } from './named-rules.ts';
import { cards, ibans, nationalIds } from './number-rules.ts';
import { phones } from './phone-rules.ts';
import { addresses, connections, emails, paths, urls, uuids } from './place-rules.ts';
import { Placed } from './placed.ts';
import { apiKeys, botTokens } from './provider-keys.ts';
import {
  bareSecrets,
  basicAuthorizations,
  bearerTokens,
  controls,
  encodedPrivateKeys,
  escapes,
  jsonWebTokens,
  passwordHashes,
  privateKeys,
} from './secret-rules.ts';
import type { Edit, Replaced, Rule, SanitiserRules, Span } from './types.ts';

/** Grows with every change of what the rules do; stored with each event. */
export const SANITISER_VERSION = 2;

export interface Sanitised {
  readonly text: string;
  readonly replaced: Replaced;
}

export type Sanitise = (text: string, rules: SanitiserRules) => Sanitised;

const ORDER: readonly Rule[] = [
  escapes,
  controls,
  unicodeEscapes,
  percentEscapes,
  privateKeys,
  encodedPrivateKeys,
  headers,
  connections,
  jsonWebTokens,
  apiKeys,
  botTokens,
  bearerTokens,
  basicAuthorizations,
  commandLines,
  assignments,
  elements,
  passwordHashes,
  cards,
  ibans,
  nationalIds,
  emails,
  uuids,
  secretsNearWords,
  bareSecrets,
  urls,
  addresses,
  phones,
  paths,
];

/** Places, not people: a file's addresses and paths are what the file is about. */
const PLACES: ReadonlySet<Rule> = new Set([uuids, urls, addresses, paths]);
const WITHOUT_PLACES = ORDER.filter((rule) => !PLACES.has(rule));
const NO_PLACE_RULES: SanitiserRules = { allowedDomains: [], allowedPaths: [], redactUuids: false };

/**
 * What a rule cuts away may bring together what another rule would have seen, so rules run until each of
 * them found nothing in the same text: up to twice for most texts that hold anything. A text that never
 * rests is refused, not let through.
 */
const PASSES_MAX = 10;

/** Nothing that any rule finds is made of so few signs. */
const HARMLESS = /^[A-Za-z_ ]{0,16}\d{0,4}$/;
const NOTHING: Replaced = Object.freeze({});

export const sanitise: Sanitise = (text, rules) => {
  if (HARMLESS.test(text)) return { text, replaced: NOTHING };
  const replaced: Replaced = {};
  const clean = settled(text, { order: ORDER, rules }, (edits) => {
    for (const { kind } of edits) replaced[kind] = (replaced[kind] ?? 0) + 1;
  });
  return { text: clean, replaced };
};

/**
 * Where secrets and personal data are in a text, in its own positions, so that a caller can hide them and
 * leave everything else as it is. Places, needless escapes and control characters are not reported.
 */
export function secretSpans(text: string): readonly Span[] {
  if (HARMLESS.test(text)) return [];
  const placed = new Placed();
  settled(text, { order: WITHOUT_PLACES, rules: NO_PLACE_RULES }, (edits) => placed.apply(edits));
  return placed.spans(text);
}

/** Applies the rules until each of them found nothing in the same text. */
function settled(
  text: string,
  { order, rules }: { order: readonly Rule[]; rules: SanitiserRules },
  onEdits: (edits: readonly Edit[]) => void,
): string {
  let clean = text.isWellFormed() ? text : text.toWellFormed();
  for (let at = 0, quiet = 0; quiet < order.length; at++) {
    assert(at < PASSES_MAX * order.length, 'a text did not come to rest');
    const before = clean;
    const edits = order[at % order.length]!(clean, rules);
    if (edits.length > 0) {
      onEdits(edits);
      clean = applied(clean, edits);
    }
    quiet = clean === before ? quiet + 1 : 0;
  }
  return clean;
}

function applied(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, mark } of edits) {
    result += text.slice(from, start) + mark;
    from = end;
  }
  return result + text.slice(from);
}
