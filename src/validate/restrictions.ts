/** What restricts an agent's permissions, and when a change takes it away (rule 8). */
import { endsWithUnit, staysNumber } from './number-changes.ts';
import { isItem, type ValueChange, wordsOf } from './structure-changes.ts';

export type KeyTest = (words: readonly string[]) => boolean;

/** Their entries remove permissions: losing one is a grant, and what is new below them is not. */
const DENY_WORDS = new Set(
  'blacklist blocked blocklist denied deny denylist disable disabled disallow disallowed exclude excluded forbid forbidden prohibited'.split(
    ' ',
  ),
);
/** They restrict an agent's permissions, but what is below them can still be a grant. */
const GUARD_WORDS = new Set(
  'approval approvals confirmation guardrail guardrails readonly sandbox sandboxed'.split(' '),
);
/** As a switch they guard: `ask_first`, `dry_run`, `human_in_the_loop`. In a text they say nothing. */
const PROTECTIVE_WORDS = new Set(
  'ask confirm confirmations dry enforce human moderation require requires safe safety validate validation verification verify'.split(
    ' ',
  ),
);
/** Before the name of a guard they turn it round: `disable_sandbox: true`. */
const NEGATIONS = new Set('bypass disable disabled ignore no skip without'.split(' '));

export const isDenial: KeyTest = (words) => words.some((word) => DENY_WORDS.has(word));
const isGuard: KeyTest = (words) =>
  words.some(
    (word, at) =>
      GUARD_WORDS.has(word) ||
      word.startsWith('readonly') ||
      (word === 'read' && words[at + 1] === 'only'),
  );
const isProtective: KeyTest = (words) => words.some((word) => PROTECTIVE_WORDS.has(word));
/** Named so, something is kept from happening. */
export const isProtection: KeyTest = (words) =>
  isDenial(words) || isGuard(words) || isProtective(words);
const isNegatedGuard: KeyTest = (words) =>
  words.some((word) => NEGATIONS.has(word)) && (isGuard(words) || isProtective(words));

export function loosens(change: ValueChange): boolean {
  const { kind, path, from, to } = change;
  const own = isItem(path.at(-1) ?? '- ') ? [] : wordsOf(path.at(-1)!);
  if (isNegatedGuard(own)) return to === true;
  if (isProtective(own) && from === true && to !== true) return true;
  if (kind === 'added' || (kind === 'changed' && to === true)) return false;
  const guards = path
    .filter((one) => !isItem(one))
    .map(wordsOf)
    .filter((words) => isDenial(words) || isGuard(words));
  // How much memory or time a sandbox has does not open it.
  const isResource =
    staysNumber(change) &&
    endsWithUnit(path.at(-1)!) &&
    guards.every((words) => /^sandbox(?:ed)?$/.test(words.join('')));
  return guards.length > 0 && !isResource;
}
