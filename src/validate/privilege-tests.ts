/**
 * No added privilege (rule 8), on values and not on text: what an agent may do is compared before and
 * after, by a value's place and what it is. Numbers that stay numbers are settings
 * (`number-changes.ts`); what a vendor documents is read as documented (`known-formats.ts`), and so is how a tool is called
 * (`tool-definitions.ts`); whatever else is new or different below a key of permissions is a grant.
 */
import { shownPath } from '../git/index.ts';
import { globsFor } from '../policy/index.ts';
import { isSized, saysAllowance } from './amounts.ts';
import { correctsArguments } from './argument-lists.ts';
import { givesNothing, givesSomething } from './known-formats.ts';
import {
  isFileMode,
  isIdentity,
  isMeasuredAbove,
  isTuning,
  isZero,
  staysNumber,
} from './number-changes.ts';
import { entryMeaning } from './plain-lists.ts';
import type { KnownNames, PolicyContext } from './policy-context.ts';
import { isDenial, isProtection, type KeyTest, loosens } from './restrictions.ts';
import {
  isItem,
  isOff,
  type StructureChanges,
  structureChanges,
  type ValueChange,
  wordsOf,
} from './structure-changes.ts';
import { answersToOwnName, correctsCall } from './tool-definitions.ts';
import type { TouchedFile } from './types.ts';

/** Anywhere in a key. */
const RIGHT_WORDS = new Set(
  'acl admin administrator bypass capabilities capability credential credentials dangerous dangerously elevated gid grant grants impersonate permission permissions privilege privileged privileges roles scopes setuid sudo sudoers superuser trusted uid unsafe'.split(
    ' ',
  ),
);
/** As a key's last word: `max_tools_per_turn` is a number, `mcp_tools` is a list of tools. */
const CONTAINER_WORDS = new Set(
  'access actions commands connectors extensions filesystem functions hooks integrations internet mcp network passphrase password plugins scope secret secrets servers tool toolkit toolkits tools toolset toolsets'.split(
    ' ',
  ),
);
const RIGHT_KEYS = new Set(
  'alwaysallow asroot autoaccept autoapprove can may root runas runasroot skipapproval skippermissions yolo'.split(
    ' ',
  ),
);
const ALLOW_WORDS = new Set('permit permitted safelist whitelist whitelisted'.split(' '));
const ENDPOINT_WORDS = new Set(
  'address args baseurl cmd command domain domains endpoint endpoints entrypoint exec executable host hostname hosts origin origins port proxy script server uri uris url urls webhook webhooks'.split(
    ' ',
  ),
);
/** The description of a tool; not below a key of permissions. */
const DESCRIPTIVE = new Set(
  'comment description example examples instruction instructions note notes summary title'.split(
    ' ',
  ),
);

/** Keys of a person or a mode, whose value says whether it is a grant. */
const STANDING_WORDS = new Set('group level mode profile role tier user'.split(' '));
/** Keys of modes, whose value may be a tool's name by chance: `access: write` below a tool of that name. */
const MODE_WORDS = new Set([...STANDING_WORDS, 'access', 'scope']);
/** From less to more. What is not here has no order. */
const STANDING: Readonly<Record<string, number>> = {
  none: 0,
  read: 1,
  'read-all': 1,
  'read-only': 1,
  readonly: 1,
  viewer: 1,
  write: 2,
  'write-all': 2,
  'read-write': 2,
  editor: 2,
  maintainer: 3,
  admin: 4,
  administrator: 4,
  owner: 4,
  root: 4,
  superuser: 4,
  'full-access': 4,
};

export const isContainer: KeyTest = (words) => CONTAINER_WORDS.has(words.at(-1) ?? '');
const isRight: KeyTest = (words) =>
  words.some((word) => RIGHT_WORDS.has(word)) ||
  isContainer(words) ||
  RIGHT_KEYS.has(words.join(''));
const isAllow: KeyTest = (words) =>
  words.some((word) => word.startsWith('allow') || ALLOW_WORDS.has(word));

/** As the name of an argument it is more than a name. */
const isTelling: KeyTest = (words) =>
  isRight(words) ||
  isAllow(words) ||
  isProtection(words) ||
  words.some((word) => ENDPOINT_WORDS.has(word));

/** A grant by itself, whatever tools there are. */
const givesRights: KeyTest = (words) => namesRight(words) || isAllow(words);
const namesRight: KeyTest = (words) =>
  words.some((word) => RIGHT_WORDS.has(word)) || RIGHT_KEYS.has(words.join(''));

export function privilegeReasons(file: TouchedFile, context: PolicyContext): string[] {
  const isAgents = globsFor(file.path, context.agentFiles).length > 0;
  return reasonsFor(file, (changes, sound) => [
    ...changes
      .filter((change) => loosens(change))
      .map((one) => [one, 'takes a restriction away'] as const),
    ...changes
      .filter((change) => grants(change, sound, context.names) || (isAgents && opensAll(change)))
      .map((one) => [one, 'changes what an agent may do'] as const),
  ]);
}

/** Whether these are permissions, nobody can tell from the files. */
export function privilegeAsks(file: TouchedFile, { names, agentFiles }: PolicyContext): string[] {
  const compared = structureChanges(file);
  if (compared?.ok !== true) return [];
  return reasonsFor(file, (changes, sound) =>
    changes
      .filter(
        (change) =>
          (opensAll(change) && globsFor(file.path, agentFiles).length === 0) ||
          (meaningOf(change, sound, names) === 'unclear' && adds(change, sound, isRight)),
      )
      .filter((change) => !grants(change, sound, names))
      .map((one) => [one, 'may change what an agent may do: a person decides'] as const),
  );
}

function grants(
  change: ValueChange,
  sound: StructureChanges & { readonly ok: true },
  names: KnownNames,
): boolean {
  if (givesNothing(change, sound) || isCalledSo(change, names)) return false;
  if (correctsArguments(change, sound, names.given, isTelling)) return false;
  if (raises(change) || givesSomething(change, sound)) return true;
  const meaning = meaningOf(change, sound, names);
  return meaning !== 'nothing' && meaning !== 'unclear' && adds(change, sound, isRight);
}

/** What a tool is called by, and no permission by its key: one may have a tool's name as a mode. */
function isCalledSo(change: ValueChange, names: KnownNames): boolean {
  if (!answersToOwnName(change, names)) return false;
  const own = wordsOf(change.path.at(-1)!);
  return !givesRights(own) && !isProtection(own) && !MODE_WORDS.has(own.at(-1) ?? '');
}

/** Of an entry of a list below a tool that was there before; of anything else undefined. */
function meaningOf(
  change: ValueChange,
  { existed }: StructureChanges & { readonly ok: true },
  names: KnownNames,
) {
  const at = lastKey(change.path, isRight);
  if (at < 0 || givesRights(wordsOf(change.path[at]!))) return undefined;
  if (!existed(change.path.slice(0, at + 2))) return undefined;
  const isPermission = (value: ValueChange['to']) => (standingOf(value) ?? 0) > 1;
  return entryMeaning(change, { at, isTelling, isPermission }, names);
}

export function allowlistReasons(file: TouchedFile): string[] {
  return reasonsFor(file, (changes, sound) =>
    changes
      .filter((change) => adds(change, sound, isAllow) && !givesNothing(change, sound))
      .filter((change) => !isAllowance(change))
      .map((one) => [one, 'lets something more through'] as const),
  );
}

/** How much of what, the files do not say. */
export function allowlistAsks(file: TouchedFile): string[] {
  return reasonsFor(file, (changes, sound) =>
    changes
      .filter((change) => adds(change, sound, isAllow) && isAllowance(change))
      .filter((change) => !isBelowKnownTool(change, sound))
      .map((one) => [one, 'may be money as well as time: a person decides'] as const),
  );
}

/** `allowance: 1800` to `4000`, or one of several below it: an amount, and no list. */
function isAllowance(change: ValueChange): boolean {
  const { path, from, to } = change;
  const at = lastKey(path, isAllow);
  const words = at < 0 ? [] : wordsOf(path[at]!);
  if (!saysAllowance(words) || namesRight(words) || path.length > at + 2) return false;
  return staysNumber(change) && !isZero(from) && !isZero(to);
}

/** A number of a tool that the agent has says how it is called. */
function isBelowKnownTool(
  { path }: ValueChange,
  { existed }: StructureChanges & { readonly ok: true },
): boolean {
  const at = lastKey(path.slice(0, -1), isContainer);
  return at >= 0 && path.length > at + 2 && existed(path.slice(0, at + 2));
}

export function endpointReasons(file: TouchedFile, { names }: PolicyContext): string[] {
  return reasonsFor(file, (changes, sound) =>
    changes
      .filter((change) => {
        const key = change.path.findLast((component) => !isItem(component)) ?? '';
        const named = ENDPOINT_WORDS.has(wordsOf(key).at(-1) ?? '');
        const measured = staysNumber(change) && (isMeasuredAbove(change) || isSized(change));
        if (!named || measured || isCalledSo(change, names)) return false;
        if (correctsArguments(change, sound, names.given, isTelling)) return false;
        return change.kind !== 'removed' && !isOff(change.to);
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

/** Everything, as lists of paths, names and hosts write it. */
const ALL = /^(?:\*{1,2}|\/|\*\*\/\*{1,2}|\.\*|~)$/;
/** A list of what is left out is no wider for it. */
const LEAVES_OUT = new Set(
  'hide hidden ignore ignored mask masked redact redacted skip skipped'.split(' '),
);

/**
 * `write_paths: ["**"]`: whatever a list is of, it is of everything now. In an agent's file that is a grant; elsewhere it may
 * be what a compiler looks at.
 */
function opensAll({ kind, path, to }: ValueChange): boolean {
  if (kind !== 'added' || typeof to !== 'string' || !isItem(path.at(-1) ?? '')) return false;
  const words = path.filter((one) => !isItem(one)).flatMap(wordsOf);
  return ALL.test(to) && !isDenial(words) && !words.some((word) => LEAVES_OUT.has(word));
}

/** Where in a path the last key of a kind is; what is below a denial does not count. */
function lastKey(path: readonly string[], test: KeyTest): number {
  const words = path.map((component) => (isItem(component) ? [] : wordsOf(component)));
  if (words.some(isDenial)) return -1;
  // Below `tools:` are names: `weather_tool` is one, `mcp` may be a place of more tools.
  return words.findLastIndex((one, at) => test(one) && !(one.length > 1 && isNameAt(words, at)));
}

function isNameAt(words: readonly (readonly string[])[], at: number): boolean {
  const own = words[at]!;
  return at > 0 && isContainer(words[at - 1]!) && isContainer(own) && !givesRights(own);
}

/** A file's mode, another user, or a standing such as `role: admin`; lower than before it raises nothing. */
function raises(change: ValueChange): boolean {
  const { kind, path, from, to } = change;
  const key = path.at(-1);
  if (key === undefined || isItem(key) || kind === 'removed') return false;
  if (isFileMode(change) || isIdentity(change)) return true;
  const standing = standingOf(to);
  if (!STANDING_WORDS.has(wordsOf(key).at(-1) ?? '') || standing === undefined) return false;
  return standing > (standingOf(from) ?? 1);
}

function standingOf(value: ValueChange['to']): number | undefined {
  const text = typeof value === 'string' ? value.toLowerCase().replace(/[\s_]+/g, '-') : '';
  return Object.hasOwn(STANDING, text) ? STANDING[text] : undefined;
}

function isLowered({ from, to }: ValueChange): boolean {
  const [old, now] = [standingOf(from), standingOf(to)];
  return old !== undefined && now !== undefined && now <= old;
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
  // A list of tools that is gone from an agent often means all tools; one entry less is one permission less.
  if (kind === 'removed') return !sound.exists(own) && sound.exists(own.slice(0, -1));
  if (isSwitchedOff(change, at) || isLowered(change)) return false;
  const depth = path.length - at - 1;
  const known = depth > 1 && sound.existed(path.slice(0, at + 2));
  const words = wordsOf(path[at]!);
  const place = {
    ...{ depth, known, givesRights: givesRights(words) },
    allowsOnly: isAllow(words) && !namesRight(words) && !isContainer(words),
  };
  if (!isSwitch(path.at(-1)!) && isTuning(change, place, sound.numbersAt)) return false;
  if (known && !place.givesRights && correctsCall(change, sound, { at, isTelling })) return false;
  if (depth === 0) return kind === 'added' || addsWord(change);
  // An entry of a list is no description, whatever it is called.
  const described =
    isContainer(wordsOf(path[at]!)) &&
    !isItem(path.at(-1)!) &&
    DESCRIPTIVE.has(wordsOf(path.at(-1)!).join(''));
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

/** `tools: Read, Grep` is a list too: fewer words are fewer permissions. */
function addsWord({ from, to }: ValueChange): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return true;
  const words = (text: string) => new Set(text.slice(0, 10_000).split(/[\s,;]+/));
  return words(to).difference(words(from)).size > 0;
}
