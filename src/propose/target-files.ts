/** The target's files for generators: read at one commit, with one value replaced. Nothing is written. */
import {
  type Document,
  type DocumentValue,
  decodeText,
  readDocument,
  replaceValue,
} from '../document/index.ts';
import type { SettingSubject, SettingValue } from '../facts/index.ts';
import { type CommitId, GitError, type TargetRepository } from '../git/index.ts';
import type { Declined, TargetFiles, ValueEdit } from './types.ts';
import { shown, valueText } from './wording.ts';

const FILE_BYTES_MAX = 1024 * 1024;

export function targetFiles(
  repository: Pick<TargetRepository, 'readFile'>,
  head: CommitId,
): TargetFiles {
  const readText = async (path: string) => {
    const bytes = await repository.readFile(head, path);
    return bytes === undefined || bytes.length > FILE_BYTES_MAX ? undefined : decodeText(bytes);
  };
  const readTextAt = async (commit: string, path: string) => {
    try {
      const bytes = await repository.readFile(commit as CommitId, path);
      return bytes === undefined || bytes.length > FILE_BYTES_MAX ? undefined : decodeText(bytes);
    } catch (error) {
      // A shallow clone may not have it any more.
      if (error instanceof GitError) return undefined;
      throw error;
    }
  };
  return {
    readText,
    readTextAt,
    setValue: async (setting, to) => setValue(setting, to, await readText(setting.file)),
    putBack: async (setting, { commit, parent, value }) =>
      putBack(setting, {
        value,
        old: await readTextAt(parent, setting.file),
        changed: await readTextAt(commit, setting.file),
        now: await readText(setting.file),
      }),
  };
}

function setValue(
  setting: SettingSubject,
  to: SettingValue,
  text: string | undefined,
): ValueEdit | Declined {
  const located = locate(setting, text);
  if ('declined' in located) return located;
  const { document, found, aliases } = located;
  const replaced = replaceValue(document, found, to);
  if ('declined' in replaced)
    return { declined: `${replaced.declined.slice(0, -1)} (${placeOf(setting)}).` };
  return {
    edit: { path: setting.file, content: Buffer.from(replaced.document.text) },
    line: found.line,
    before: found.text,
    after: replaced.value.text,
    aliases,
  };
}

function locate(
  setting: SettingSubject,
  text: string | undefined,
): { document: Document; found: DocumentValue; aliases: number } | Declined {
  const { file, path, value } = setting;
  const reading = text === undefined ? undefined : readDocument(file, text);
  const found = reading?.ok === true ? findValue(reading.document, setting) : undefined;
  if (reading?.ok !== true || found === undefined)
    return {
      declined: `The target's head no longer has ${valueText(value)} at ${shown(path.join('.'))} (${placeOf(setting)}).`,
    };
  const uses = usesOf(found, reading.document);
  const key = reading.document.format.isCode === true ? uses[0]?.at(-1) : path.at(-1);
  const other = uses.find((steps) => steps.at(-1) !== key);
  if (other !== undefined)
    return {
      declined: `${shown(other.join('.'))} uses the same value and is another setting (${placeOf(setting)}).`,
    };
  return { document: reading.document, found, aliases: uses.length - 1 };
}

/**
 * The keys that lead to a value. The name of a constant in code is no key where others refer to it: what it is for is said where it is
 * used, and there it has to be one thing.
 */
function usesOf(found: DocumentValue, { places, format }: Document): readonly string[][] {
  const ways = places
    .filter(({ value }) => value === found)
    .map(({ steps }) => steps.map(({ key }) => key));
  if (format.isCode !== true) return ways;
  const uses = ways.filter((steps) => steps.length > found.path.length);
  return uses.length > 0 ? uses : ways;
}

const placeOf = ({ file, line }: SettingSubject) => `${shown(file)}, line ${line}`;

/** Equal paths in several documents are distinguished by their line. */
function findValue(
  { values }: Document,
  { path, line, value }: SettingSubject,
): DocumentValue | undefined {
  const found = values.filter(
    (one) => (one.value === value || one.quantity?.amount === value) && isAt(one, path),
  );
  return found.length === 1 ? found[0] : found.find((one) => one.line === line);
}

const isAt = (one: DocumentValue, path: readonly string[]) =>
  one.path.length === path.length && one.path.every((key, at) => key === path[at]);

/** Texts of a file: before the commit, after it, and at the target's head. */
interface Versions {
  /** What it was, as far as that is known. */
  readonly value?: SettingValue | undefined;
  readonly old: string | undefined;
  readonly changed: string | undefined;
  readonly now: string | undefined;
}

/** The very bytes that the value had before the commit, if its present bytes are those that the commit wrote. */
function putBack(
  setting: SettingSubject,
  { value, old, changed, now }: Versions,
): ValueEdit | Declined {
  const located = locate(setting, now);
  if ('declined' in located) return located;
  const { document, found, aliases } = located;
  const became = sameValue(setting, found, changed);
  const was = sameItem(setting, found, { value, old }) ?? sameValue(setting, found, old);
  if (was === undefined || became === undefined)
    return { declined: `What the commit changed cannot be read (${placeOf(setting)}).` };
  if (became.text !== found.text)
    return {
      declined: `${shown(setting.path.join('.'))} was changed again since (${placeOf(setting)}).`,
    };
  const text = document.text.slice(0, found.start) + was.text + document.text.slice(found.end);
  const index = document.values.indexOf(found);
  const next = readDocument(setting.file, text);
  if (!next.ok || !differsOnlyIn(document, next.document, { index, was }))
    return { declined: `The old value does not fit in its place any more (${placeOf(setting)}).` };
  return {
    edit: { path: setting.file, content: Buffer.from(text) },
    line: found.line,
    before: found.text,
    after: was.text,
    aliases,
  };
}

/** In a list that the commit also put into another order: the item of that value, wherever it stood. */
function sameItem(
  { file, path }: SettingSubject,
  { document }: DocumentValue,
  { value, old }: Pick<Versions, 'value' | 'old'>,
): DocumentValue | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(path.at(-1) ?? '')) return undefined;
  const reading = old === undefined ? undefined : readDocument(file, old);
  if (reading?.ok !== true) return undefined;
  const found = reading.document.values.filter(
    (one) =>
      one.document === document &&
      one.value === value &&
      isAt(one, [...path.slice(0, -1), one.path.at(-1) ?? '']),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The value at the same place of another version; undefined where that is not one value that can be told. */
function sameValue(
  { file, path }: SettingSubject,
  { document }: DocumentValue,
  text: string | undefined,
): DocumentValue | undefined {
  const reading = text === undefined ? undefined : readDocument(file, text);
  if (reading?.ok !== true) return undefined;
  const found = reading.document.values.filter(
    (one) => one.document === document && isAt(one, path),
  );
  return found.length === 1 && found[0]!.start < found[0]!.end ? found[0] : undefined;
}

/** Read again, the one value means what it meant then, and all others are as they are. */
function differsOnlyIn(
  before: Document,
  after: Document,
  { index, was }: { readonly index: number; readonly was: DocumentValue },
): boolean {
  return (
    before.values.length === after.values.length &&
    before.places.length === after.places.length &&
    before.problems.length === after.problems.length &&
    after.values.every((one, at) => {
      const meant = at === index ? was : before.values[at]!;
      return (
        one.text === meant.text &&
        Object.is(one.value, meant.value) &&
        one.tag === meant.tag &&
        isAt(one, before.values[at]!.path)
      );
    })
  );
}
