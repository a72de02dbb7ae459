/**
 * What values mean inside the definition of a tool that an agent already has (rule 8). Some of them say what the agent may
 * do: addresses, commands, paths, scopes. Others only describe how the tool is called: the names of its arguments, its JSON
 * Schema, the name under which it is called. Correcting those gives the agent nothing that it did not have.
 *
 * A name is corrected where exactly as many names go as come: one more is a further ability. A name that itself speaks of
 * permissions or addresses, or that goes although it guards something, is never a mere correction.
 */
import type { KnownNames } from './policy-context.ts';
import type { KeyTest } from './restrictions.ts';
import {
  isItem,
  type StructureChanges,
  structureChanges,
  type ValueChange,
  wordsOf,
} from './structure-changes.ts';
import type { TouchedFile } from './types.ts';

type Sound = StructureChanges & { readonly ok: true };

/** Keys whose list holds names of arguments. Not `args`, which a command is given, nor `fields`, which may be those of data. */
export const ARGUMENT_KEYS: ReadonlySet<string> = new Set(
  'argument arguments argumentnames input inputs param parameter parameters params'.split(' '),
);
/** Keys under which a tool's own name stands. */
const NAME_KEYS = new Set('call calls function id name tool'.split(' '));
/** In a JSON Schema these describe an argument; others (`enum`, `pattern`, `default`) say what it may be. */
const SCHEMA_KEYS = new Set('description title type'.split(' '));
const NAME = /^[A-Za-z_][\w.-]{0,80}$/;

interface Below {
  /** Where in the path the key of the tools is. */
  readonly at: number;
  /** Of a name that is more than a name. */
  readonly isTelling: KeyTest;
}

/** Whether a change below a known tool only corrects how the tool is called. */
export function correctsCall(change: ValueChange, sound: Sound, below: Below): boolean {
  return (
    replacesArgument(change, sound, below) ||
    replacesProperty(change, sound, below) ||
    namesItself(change, below)
  );
}

/** `inputs: [q, lang]` becomes `inputs: [q, locale]`. */
function replacesArgument({ path, kind }: ValueChange, sound: Sound, below: Below): boolean {
  const [list, item] = path.slice(-2);
  // `tools: { inputs: [q] }` is a tool of that name.
  if (kind === 'changed' || list === undefined || item === undefined) return false;
  if (path.length < below.at + 4) return false;
  if (!isItem(item) || isItem(list)) return false;
  const own = path.slice(0, -1);
  // Beside `properties` these are a JSON Schema's.
  const isRequired = list === 'required' && sound.existed([...own.slice(0, -1), 'properties']);
  if (!isRequired && !ARGUMENT_KEYS.has(wordsOf(list).join(''))) return false;
  const inList = sound.changes.filter((one) => isBelow(one.path, own, own.length + 1));
  const names = (wanted: ValueChange['kind']) =>
    inList.filter((one) => one.kind === wanted).map((one) => one.path.at(-1)!.slice(2));
  return isExchange(names('removed'), names('added'), below);
}

/** In a JSON Schema: `properties: { lang: … }` becomes `properties: { locale: … }`. */
function replacesProperty(change: ValueChange, sound: Sound, below: Below): boolean {
  const at = change.path.lastIndexOf('properties');
  if (at < 1 || change.path.length !== at + 3) return false;
  const schema = change.path.slice(0, at);
  const isSchema = [sound.existed, sound.exists].every((has) => has([...schema, 'type']));
  if (!isSchema || !SCHEMA_KEYS.has(change.path.at(-1)!)) return false;
  const own = change.path.slice(0, at + 1);
  const names = (wanted: ValueChange['kind'], has: Sound['exists']) => [
    ...new Set(
      sound.changes
        .filter((one) => one.kind === wanted && isBelow(one.path, own))
        .map((one) => one.path[own.length]!)
        .filter((name) => !has([...own, name])),
    ),
  ];
  const [gone, come] = [names('removed', sound.exists), names('added', sound.existed)];
  const name = change.path[at + 1]!;
  // What describes an argument that stays is a description.
  if (!gone.includes(name) && !come.includes(name)) return true;
  return isExchange(gone, come, below);
}

function isExchange(
  gone: readonly string[],
  come: readonly string[],
  { isTelling }: Below,
): boolean {
  if (gone.length === 0 || gone.length !== come.length) return false;
  return [...gone, ...come].every((name) => NAME.test(name) && !isTelling(wordsOf(name)));
}

const SHORT_MAX = 3;

/**
 * `tools: { find: { id: find_v2 } }` becomes `id: find`: the name by which the file knows it, with or without an ending. Under any
 * other key too, if the name has several words: `read` may be a mode of a tool of that name, `web_search` is nothing but the tool.
 */
function namesItself({ kind, path, from, to }: ValueChange, { isTelling }: Below): boolean {
  const [owner, key] = path.slice(-2);
  if (kind !== 'changed' || owner === undefined || key === undefined) return false;
  const isNameKey = NAME_KEYS.has(wordsOf(key).join(''));
  if (!isNameKey && (isTelling(wordsOf(key)) || wordsOf(owner).length < 2)) return false;
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  const known = isItem(owner) ? owner.slice(2) : owner;
  const [short, long] = from.length < to.length ? [from, to] : [to, from];
  const isEnding = short.length > SHORT_MAX && long.startsWith(short) && NAME.test(long);
  return to === known && isEnding;
}

/**
 * The names of tools that a change replaces by the name of the tool that they belong to: `tools: { find: { k7: fnd } }` becomes
 * `k7: find`. Whether they were called, telemetry says.
 */
export function replacedNames(file: TouchedFile): string[] {
  const compared = structureChanges(file);
  if (compared?.ok !== true) return [];
  return compared.changes.flatMap((change) =>
    takesOwnName(change) && typeof change.from === 'string' ? [change.from] : [],
  );
}

function takesOwnName({ kind, path, from, to }: ValueChange): boolean {
  if (kind !== 'changed' || typeof from !== 'string' || typeof to !== 'string') return false;
  if (path.length === 0 || isItem(path.at(-1)!)) return false;
  const above = path.slice(0, -1).map((step) => (isItem(step) ? step.slice(2) : step));
  return above.includes(to) || saysName(path.at(-1)!, to);
}

/** Where nothing is nested, the key itself says whose it is: `SCOUT_WEB_SEARCH_ENDPOINT`. */
function saysName(key: string, name: string): boolean {
  const [words, own] = [wordsOf(key), wordsOf(name)];
  if (name.length <= SHORT_MAX || own.length === 0 || own.length >= words.length) return false;
  return `_${words.join('_')}_`.includes(`_${own.join('_')}_`);
}

/**
 * Whether a text was called as a tool that answers nobody, and becomes the name of the tool to which it belongs. Then it is what that
 * tool is called by, whatever its key says, and the agent reaches nothing that the file did not give it.
 */
export function answersToOwnName(change: ValueChange, { calledInVain }: KnownNames): boolean {
  return typeof change.from === 'string' && calledInVain.has(change.from) && takesOwnName(change);
}

function isBelow(path: readonly string[], own: readonly string[], length?: number): boolean {
  return (
    (length === undefined ? path.length > own.length : path.length === length) &&
    own.every((step, at) => path[at] === step)
  );
}
