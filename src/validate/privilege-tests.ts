/**
 * No added privilege (rule 8), on values and not on text: what an agent may do is compared before and
 * after. Numbers below something that was there before, such as a tool's timeout, are settings; whatever
 * else is new or different below a key that speaks of rights is a right.
 */
import { shownPath } from '../git/index.ts';
import {
  isItem,
  isOff,
  isQuantity,
  type StructureChanges,
  structureChanges,
  type ValueChange,
  wordsOf,
} from './structure-changes.ts';
import type { TouchedFile } from './types.ts';

/** Wherever in a key they stand. */
const RIGHT_WORDS = new Set(
  'acl admin administrator bypass capabilities capability dangerous dangerously elevated gid grant grants impersonate permission permissions privilege privileged privileges roles scopes setuid sudo sudoers superuser trusted uid unsafe'.split(
    ' ',
  ),
);
/** As a key's last word: `max_tools_per_turn` is a number, `mcp_tools` is a list of tools. */
const CONTAINER_WORDS = new Set(
  'access actions commands connectors extensions filesystem functions hooks integrations internet mcp network plugins scope servers tool toolkit toolkits tools toolset toolsets'.split(
    ' ',
  ),
);
const RIGHT_KEYS = new Set(
  'alwaysallow asroot autoaccept autoapprove root runas runasroot skipapproval skippermissions yolo'.split(
    ' ',
  ),
);
/** Their entries take rights away: losing one gives a right, and what is new below them gives none. */
const DENY_WORDS = new Set(
  'blacklist blocked blocklist denied deny denylist disallow disallowed forbid forbidden prohibited'.split(
    ' ',
  ),
);
/** They stand between an agent and its rights, but what is below them can be a right all the same. */
const GUARD_WORDS = new Set(
  'approval approvals confirmation guardrail guardrails readonly sandbox sandboxed'.split(' '),
);
const ALLOW_WORDS = new Set('permit permitted safelist whitelist whitelisted'.split(' '));
const ENDPOINT_WORDS = new Set(
  'address args baseurl cmd command domain domains endpoint endpoints entrypoint exec executable host hostname hosts origin origins proxy script server uri uris url urls webhook webhooks'.split(
    ' ',
  ),
);
/** What a tool is said to be; not below a key of rights such as permissions. */
const DESCRIPTIVE = new Set(
  'comment description example examples instruction instructions note notes summary title'.split(
    ' ',
  ),
);

type KeyTest = (words: readonly string[]) => boolean;

const isContainer: KeyTest = (words) => CONTAINER_WORDS.has(words.at(-1) ?? '');
const isDenial: KeyTest = (words) => words.some((word) => DENY_WORDS.has(word));
const isRestriction: KeyTest = (words) =>
  isDenial(words) ||
  words.some((word) => GUARD_WORDS.has(word)) ||
  words.join('').endsWith('readonly');
const isRight: KeyTest = (words) =>
  words.some((word) => RIGHT_WORDS.has(word)) ||
  isContainer(words) ||
  RIGHT_KEYS.has(words.join(''));
const isAllow: KeyTest = (words) =>
  words.some((word) => word.startsWith('allow') || ALLOW_WORDS.has(word));

export function privilegeReasons(file: TouchedFile): string[] {
  return reasonsFor(file, (changes, sound) => [
    ...changes
      .filter((change) => loosens(change))
      .map((one) => [one, 'takes a restriction away'] as const),
    ...changes
      .filter((change) => adds(change, sound, isRight))
      .map((one) => [one, 'changes what an agent may do'] as const),
  ]);
}

export function allowlistReasons(file: TouchedFile): string[] {
  return reasonsFor(file, (changes, sound) =>
    changes
      .filter((change) => adds(change, sound, isAllow))
      .map((one) => [one, 'lets something more through'] as const),
  );
}

export function endpointReasons(file: TouchedFile): string[] {
  return reasonsFor(file, (changes) =>
    changes
      .filter((change) => {
        const key = change.path.findLast((component) => !isItem(component)) ?? '';
        const named = ENDPOINT_WORDS.has(wordsOf(key).at(-1) ?? '');
        return named && change.kind !== 'removed' && !isOff(change.to);
      })
      .map((one) => [one, 'names where or how a tool is reached'] as const),
  );
}

type Judge = (
  changes: readonly ValueChange[],
  sound: StructureChanges & { readonly ok: true },
) => readonly (readonly [ValueChange, string])[];

function reasonsFor(file: TouchedFile, judge: Judge): string[] {
  const compared = structureChanges(file);
  if (compared === undefined) return [];
  const name = shownPath(file.path);
  if (!compared.ok)
    return [`${name}, line ${compared.line}: it cannot be compared: ${compared.why}.`];
  return judge(compared.changes, compared).map(([{ kind, path, line }, what]) => {
    const place = line === undefined ? name : `${name}, line ${line}`;
    const verb = { added: 'new', changed: 'changed', removed: 'removed' }[kind];
    return `${place}: ${shownPath(path.join('.'))} (${verb}) ${what}.`;
  });
}

/** Where in a path the last key of a kind stands; what is below a denial is none. */
function lastKey(path: readonly string[], test: KeyTest): number {
  const words = path.map((component) => (isItem(component) ? [] : wordsOf(component)));
  return words.some(isDenial) ? -1 : words.findLastIndex(test);
}

function loosens({ kind, path, to }: ValueChange): boolean {
  if (kind === 'added' || (kind === 'changed' && to === true)) return false;
  return path.some((component) => !isItem(component) && isRestriction(wordsOf(component)));
}

function adds(
  change: ValueChange,
  sound: StructureChanges & { readonly ok: true },
  test: KeyTest,
): boolean {
  const { kind, path } = change;
  const at = lastKey(path, test);
  if (at < 0) return false;
  const own = path.slice(0, at + 1);
  // A list of tools that is gone from an agent often means all tools; one entry less is one right less.
  if (kind === 'removed') return !sound.exists(own) && sound.exists(own.slice(0, -1));
  if (isSwitchedOff(change, at)) return false;
  if (path.length === at + 1) return kind === 'added' || addsWord(change);
  const known = path.length > at + 2 && sound.existed(path.slice(0, at + 2));
  if (known && isSetting(change)) return false;
  const described =
    isContainer(wordsOf(path[at]!)) && DESCRIPTIVE.has(wordsOf(path.at(-1)!).join(''));
  return !(known && described);
}

/**
 * `sudo: false`, `tools: []`, `tools.shell: false`, `tools.shell.enabled: false`. Not `tools:` without
 * a value, which often means all, nor `tools.shell: {}`, which is a tool.
 */
function isSwitchedOff({ path, to }: ValueChange, at: number): boolean {
  const depth = path.length - at - 1;
  if (depth === 0) return isOff(to) && to !== null;
  return to === false && (depth === 1 || isSwitch(path.at(-1)!));
}

function isSwitch(key: string): boolean {
  return /^(?:active|enabled?|on)$/.test(wordsOf(key).at(-1) ?? '');
}

/** A number that stays a number, or a new one that switches nothing on. */
function isSetting({ path, from, to }: ValueChange): boolean {
  const key = path.at(-1)!;
  if (isItem(key) || !isQuantity(to) || !(from === undefined || isQuantity(from))) return false;
  return !isSwitch(key);
}

/** `tools: Read, Grep` is a list too: fewer words are fewer rights. */
function addsWord({ from, to }: ValueChange): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return true;
  const words = (text: string) => new Set(text.slice(0, 10_000).split(/[\s,;]+/));
  return words(to).difference(words(from)).size > 0;
}
