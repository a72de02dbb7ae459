/**
 * The sanitiser: no secret, no person's address and no more of a place than is needed stays in a text.
 * Pure, in time linear in the text, and sanitising twice changes nothing: what is cut away may show another rule
 * something, so a text is scanned until nothing is found in it.
 */
import { assert } from '../base/index.ts';
import { controlsOf } from './controls.ts';
import type { Scope } from './found.ts';
import { Placed } from './placed.ts';
import { scan } from './scan.ts';
import { type Edit, PLACE_KINDS, type Replaced, type SanitiserRules, type Span } from './types.ts';

/** Grows with every change of what the rules do; stored with each event. */
export const SANITISER_VERSION = 4;

export interface Sanitised {
  readonly text: string;
  readonly replaced: Replaced;
}

export type Sanitise = (text: string, rules: SanitiserRules) => Sanitised;

/** Twice for most texts that hold anything. A text that never rests is refused, not let through. */
const PASSES_MAX = 10;

/** Nothing that any rule finds is made of so few signs. */
const HARMLESS = /^[A-Za-z_ ]{0,16}\d{0,4}$/;
const NOTHING: Replaced = Object.freeze({});
const NONE: Scope['without'] = new Set();
const PLACES: Scope['without'] = new Set(PLACE_KINDS);
const NO_PLACE_RULES: SanitiserRules = { allowedDomains: [], allowedPaths: [], redactUuids: false };

export const sanitise: Sanitise = (text, rules) => {
  const hasOwn = rules.rules !== undefined && rules.rules.length > 0;
  if (!hasOwn && HARMLESS.test(text)) return { text, replaced: NOTHING };
  const without =
    rules.keepKinds === undefined || rules.keepKinds.length === 0 ? NONE : new Set(rules.keepKinds);
  const replaced: Replaced = {};
  const clean = settled(text, { rules, without, depth: 0 }, (edits) => {
    for (const { kind } of edits) replaced[kind] = (replaced[kind] ?? 0) + 1;
  });
  return { text: clean, replaced };
};

/**
 * Where secrets and personal data are in a text, in its own positions, so that a caller can hide them and
 * leave everything else as it is. Places and control characters are not reported.
 */
export function secretSpans(text: string): readonly Span[] {
  if (HARMLESS.test(text)) return [];
  const placed = new Placed();
  const scope = { rules: NO_PLACE_RULES, without: PLACES, depth: 0 };
  settled(text, scope, (edits) => placed.apply(edits));
  return placed.spans(text);
}

/** Everything that `sanitise` would replace, places too, in positions of the text itself. */
export function replacedSpans(text: string, rules: SanitiserRules): readonly Span[] {
  const placed = new Placed();
  settled(text, { rules, without: new Set(rules.keepKinds), depth: 0 }, (edits) =>
    placed.apply(edits),
  );
  return placed.all();
}

/** Replaces what is found until nothing is. */
function settled(text: string, scope: Scope, onEdits: (edits: readonly Edit[]) => void): string {
  let clean = text.isWellFormed() ? text : text.toWellFormed();
  const controls = controlsOf(clean);
  if (controls.length > 0) {
    onEdits(controls);
    clean = applied(clean, controls);
  }
  for (let pass = 0; ; pass++) {
    assert(pass < PASSES_MAX, 'a text did not come to rest');
    const { edits: found, isLast } = scan(clean, scope);
    if (found.length === 0) return clean;
    const edits = withSuffixes(clean, found, scope.rules);
    onEdits(edits);
    const next = applied(clean, edits);
    if (isLast || next === clean) return next;
    clean = next;
  }
}

/** `[REDACTED:EMAIL]` becomes `[REDACTED:EMAIL:kfhb…]`. */
function withSuffixes(
  text: string,
  edits: readonly Edit[],
  { suffixOf }: SanitiserRules,
): readonly Edit[] {
  if (suffixOf === undefined) return edits;
  return edits.map((edit) => {
    if (!edit.mark.endsWith(']')) return edit;
    const suffix = suffixOf(text.slice(edit.start, edit.end));
    return { ...edit, mark: `${edit.mark.slice(0, -1)}:${suffix}]` };
  });
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
