/**
 * The sanitiser: no secret, no person's address and no more of a place than is needed stays in a text.
 * Pure, in time linear in the text, and sanitising twice changes nothing. The order of the rules
 * matters: what hides other things goes first, what is known by its own form before what is known by
 * its name, and places last, because a secret may stand in them.
 */
import assert from 'node:assert';
import { assignments, headers, secretsNearWords } from './named-rules.ts';
import { addresses, connections, emails, paths, urls, uuids } from './place-rules.ts';
import {
  apiKeys,
  bearerTokens,
  controls,
  escapes,
  jsonWebTokens,
  privateKeys,
} from './secret-rules.ts';
import type { Edit, Replaced, Rule, SanitiserRules } from './types.ts';

/** Grows with every change of what the rules do; stored with each event. */
export const SANITISER_VERSION = 1;

export interface Sanitised {
  readonly text: string;
  readonly replaced: Replaced;
}

export type Sanitise = (text: string, rules: SanitiserRules) => Sanitised;

const ORDER: readonly Rule[] = [
  escapes,
  controls,
  privateKeys,
  headers,
  connections,
  jsonWebTokens,
  apiKeys,
  bearerTokens,
  assignments,
  emails,
  uuids,
  secretsNearWords,
  urls,
  addresses,
  paths,
];

/**
 * What a rule cuts away may bring together what another rule would have seen, so rules run until nothing
 * changes: twice for most texts that hold anything. One that never rests is refused, not let through.
 */
const PASSES_MAX = 10;

/** Nothing that any rule finds is made of so few signs. */
const HARMLESS = /^[A-Za-z0-9_ ]{0,16}$/;
const NOTHING: Replaced = Object.freeze({});

export const sanitise: Sanitise = (text, rules) => {
  if (HARMLESS.test(text)) return { text, replaced: NOTHING };
  const replaced: Replaced = {};
  let clean = text.isWellFormed() ? text : text.toWellFormed();
  for (let pass = 1; ; pass++) {
    const before = clean;
    for (const rule of ORDER) {
      const edits = rule(clean, rules);
      if (edits.length > 0) clean = applied(clean, edits, replaced);
    }
    if (clean === before) return { text: clean, replaced };
    assert(pass < PASSES_MAX, 'a text did not come to rest');
  }
};

function applied(text: string, edits: readonly Edit[], replaced: Replaced): string {
  let result = '';
  let from = 0;
  for (const { kind, start, end, mark } of edits) {
    result += text.slice(from, start) + mark;
    from = end;
    replaced[kind] = (replaced[kind] ?? 0) + 1;
  }
  return result + text.slice(from);
}
