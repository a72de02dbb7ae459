/**
 * Names that stand together in the target's files: the keys of one map, the texts of one list, or the parts of one text with commas
 * between them, where a format has no lists (`.env`, INI). A tool's arguments are such a group wherever they are written: in an agent's
 * list, in a tool's schema. Pure; names are somebody else's text.
 */
import type { Setting } from '../../types.ts';

const GROUPS_MAX = 20_000;

export interface NameGroup {
  readonly file: string;
  readonly names: ReadonlySet<string>;
  /** The key that holds them; empty at the top of a file. */
  readonly key: string;
  /** The settings below it; of a list of texts the texts themselves; of one text with commas that text. */
  readonly settings: readonly Setting[];
  /** Whether the names are texts of a list, or parts of one, which can be replaced by others. */
  readonly isList: boolean;
}

const INDEX = /^\d+$/;
const NAME = /^[A-Za-z_][\w.-]{0,80}$/;
/** Longer ones become no value (`SettingSubject.becomes`). */
const TEXT_CHARS_MAX = 200;

export function nameGroups(settings: readonly Setting[]): NameGroup[] {
  const groups = new Map<
    string,
    { file: string; names: Set<string>; key: string; settings: Setting[]; isList: boolean }
  >();
  const add = (setting: Setting, depth: number, name: string, isList: boolean) => {
    const key = JSON.stringify([setting.file, setting.path.slice(0, depth), isList]);
    let group = groups.get(key);
    if (group === undefined) {
      if (groups.size >= GROUPS_MAX) return;
      const holder = setting.path[depth - 1] ?? '';
      group = { file: setting.file, names: new Set(), key: holder, settings: [], isList };
      groups.set(key, group);
    }
    group.names.add(name);
    group.settings.push(setting);
  };
  for (const setting of settings) {
    const { path, value } = setting;
    for (const [depth, step] of path.entries()) {
      const isLast = depth === path.length - 1;
      if (!INDEX.test(step)) add(setting, depth, step, false);
      else if (isLast && typeof value === 'string' && NAME.test(value))
        add(setting, depth, value, true);
    }
    for (const name of namesOfText(value)) add(setting, path.length, name, true);
  }
  return [...groups.values()];
}

/** `q,lang`, `q, lang`: two names or more and nothing else. */
function namesOfText(value: Setting['value']): readonly string[] {
  if (typeof value !== 'string' || value.length > TEXT_CHARS_MAX) return [];
  const parts = value.split(',').map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => NAME.test(part)) ? parts : [];
}

/** What a text is with another name in the place of one of its parts; undefined where it is not one of them. */
export function withName(
  value: Setting['value'],
  { old, next }: { readonly old: string; readonly next: string },
): string | undefined {
  if (value === old) return next;
  if (!namesOfText(value).includes(old)) return undefined;
  const part = (text: string) => (text.trim() === old ? text.replace(old, () => next) : text);
  return String(value).split(',').map(part).join(',');
}

const WORDS = /[A-Za-z_][\w.-]{0,80}/g;

/** The words of messages that may be names; of each message the first 2 000 characters. */
export function wordsIn(messages: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const message of messages)
    for (const [word] of message.slice(0, 2000).matchAll(WORDS))
      words.add(word.replace(/[.-]+$/, ''));
  return words;
}
