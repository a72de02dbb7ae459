/**
 * Entries of a list below a tool that an agent already has, under a key that says nothing of permissions: `sends: [q, lang]`,
 * `tags: [news]`, `tables: [orders]` (rule 8). Such a list may describe a call or may be what the tool reaches: its members
 * say which. A tool, a permission, a wildcard or a shell is a grant, an argument that the tool is known to have is none, and
 * of any other name nobody can tell: a person is asked.
 */
import type { KnownNames } from './policy-context.ts';
import type { KeyTest } from './restrictions.ts';
import { isItem, type ValueChange, wordsOf } from './structure-changes.ts';
import { ARGUMENT_KEYS } from './tool-definitions.ts';

/** Words, one or several: no path, pattern, address or option. */
const PLAIN = /^[\p{L}\p{N}_](?!.* -)[\p{L}\p{N} _.'-]{0,80}$/u;
/** They run whatever they are given. */
const SHELLS = new Set('bash cmd eval node perl powershell python ruby sh shell zsh'.split(' '));

interface Below {
  /** Where in the path the key of the tools is. */
  readonly at: number;
  /** Of a name that is more than a name. */
  readonly isTelling: KeyTest;
  /** Of a value such as `write`. */
  readonly isPermission: (value: ValueChange['to']) => boolean;
}

/** Undefined for anything but a new entry of such a list. */
export function entryMeaning(
  { kind, path, to }: ValueChange,
  { at, isTelling, isPermission }: Below,
  names: KnownNames,
): 'grant' | 'nothing' | 'unclear' | undefined {
  const [list, item] = path.slice(-2);
  if (kind !== 'added' || typeof to !== 'string') return undefined;
  if (path.length < at + 4 || !isItem(item!) || isItem(list!)) return undefined;
  // Known to be arguments, or part of a JSON Schema: `tool-definitions.ts`.
  if (ARGUMENT_KEYS.has(wordsOf(list!).join('')) || path.includes('properties')) return undefined;
  const keys = path.slice(at + 2, -1).filter((one) => !isItem(one));
  if (keys.some((key) => isTelling(wordsOf(key)))) return 'grant';
  const words = wordsOf(to);
  if (!PLAIN.test(to) || isTelling(words) || words.some((word) => SHELLS.has(word))) return 'grant';
  if (isPermission(to) || names.tools.has(to.toLowerCase())) return 'grant';
  const tool = nameOf(path[at + 1]!);
  return names.arguments.get(tool)?.has(to) === true ? 'nothing' : 'unclear';
}

/** Of a tool, whether it is a key or an item of a list. */
export function nameOf(component: string): string {
  return isItem(component) ? component.slice(2) : component;
}
