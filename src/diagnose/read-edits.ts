/**
 * What commits changed in the target's files: value by value; other lines of settings and code part by part, such as a key
 * that was renamed or a line that is gone; texts as a whole. Only commits right before some failure
 * began are read, and of each only its first files. Files are attacker-controlled: what cannot be read is left out.
 */
import { decodeText, formatOf } from '../document/index.ts';
import { type CommitId, changesBetween, splitLines, type TargetRepository } from '../git/index.ts';
import { wordsOfFile } from './references.ts';
import { settingsOf } from './settings-of.ts';
import type { Setting, TargetCommit, TargetEdit } from './types.ts';

const COMMITS_MAX = 20;
const FILES_MAX = 20;
const EDITS_MAX = 500;
const FILE_BYTES_MAX = 1024 * 1024;
/** The agents' own texts: what is said in one line may depend on another. */
const TEXTS = /\.(?:md|markdown|mdx|txt|prompt|j2|jinja2?|tmpl|hbs)$/i;

const OWN_COMMIT = /^Hone-Proposal: /m;

export type EditsRepository = Pick<TargetRepository, 'readFile' | 'commitInfo'>;

/** The oldest commit first. */
export async function readEdits(
  repository: EditsRepository,
  commits: readonly TargetCommit[],
): Promise<readonly TargetEdit[]> {
  const edits: TargetEdit[] = [];
  for (const commit of commits.slice(-COMMITS_MAX)) {
    const info = await infoOf(repository, commit.id);
    const parent = info?.parents[0];
    // What Hone itself changed is watched, and taken back by whoever watches it.
    if (info === undefined || parent === undefined || OWN_COMMIT.test(info.message)) continue;
    for (const file of commit.paths.slice(0, FILES_MAX)) {
      const [before, after] = [
        await textAt(repository, parent, file),
        await textAt(repository, commit.id as CommitId, file),
      ];
      // What a commit adds or removes as a whole is nothing to put back by a value.
      if (before === undefined || after === undefined || before === after) continue;
      const { id, atMs } = commit;
      edits.push(...editsOf({ commit: id, parent, atMs, file }, before, after));
      if (edits.length >= EDITS_MAX) return edits.slice(0, EDITS_MAX);
    }
  }
  return edits;
}

async function infoOf(repository: EditsRepository, id: string) {
  try {
    return await repository.commitInfo(id as CommitId);
  } catch {
    return undefined;
  }
}

async function textAt(
  repository: EditsRepository,
  commit: CommitId,
  path: string,
): Promise<string | undefined> {
  try {
    const bytes = await repository.readFile(commit, path);
    return bytes === undefined || bytes.length > FILE_BYTES_MAX ? undefined : decodeText(bytes);
  } catch {
    return undefined;
  }
}

type Where = Pick<TargetEdit, 'commit' | 'parent' | 'atMs' | 'file'>;

function editsOf(where: Where, before: string, after: string): TargetEdit[] {
  if (formatOf(where.file) === undefined) return proseEdits(where, before, after);
  const [old, now] = [valuesOf(where.file, before), valuesOf(where.file, after)];
  const changed = changedValues(old, now);
  const values: TargetEdit[] = changed.map(({ from, to }) => ({
    ...where,
    kind: 'value',
    path: to.setting.path,
    before: isSameForm(from, to) ? from.setting.value : bareText(from.text),
    after: to.setting.value,
  }));
  const valueLines = new Map(changed.map(({ from, to }) => [to.setting.line, from.setting.line]));
  const edits = [...values, ...lineEdits(where, { before, after, old, now, valueLines })];
  return edits.length > 0 ? edits : proseEdits(where, before, after);
}

function proseEdits(where: Where, before: string, after: string): TargetEdit[] {
  if (!TEXTS.test(where.file)) return [];
  return [{ ...where, kind: 'text', line: firstDifference(before, after) }];
}

/** A value and how it is written. */
interface Written {
  readonly setting: Setting;
  readonly text: string;
}

type Values = ReadonlyMap<string, Written>;

/** By their paths; a path that is there twice says nothing. */
function changedValues(old: Values, now: Values) {
  const items = replacedItems(old, now);
  return [...now].flatMap(([path, to]) => {
    const item = items.get(path);
    if (item !== undefined) return item.from === undefined ? [] : [{ from: item.from, to }];
    const from = old.get(path);
    // What an item of a list that grew or shrank was before stands elsewhere now.
    if (from === undefined || itemsBeside(path, old) !== itemsBeside(path, now)) return [];
    return from.setting.value === to.setting.value && isSameForm(from, to) ? [] : [{ from, to }];
  });
}

/**
 * Items of lists that were put into another order and have one item that is new: it stands for the one that is gone, and what only moved
 * is what it was. By their paths. Where nothing is new the order is the change, and where more is nobody knows which was which: those
 * are compared place by place.
 */
function replacedItems(
  old: Values,
  now: Values,
): Map<string, { readonly from: Written | undefined }> {
  const found = new Map<string, { readonly from: Written | undefined }>();
  const lists = Map.groupBy(now.keys(), listOf);
  for (const [list, paths] of lists) {
    if (list === undefined || itemsBeside(paths[0]!, old) !== paths.length) continue;
    if (!paths.every((path) => old.has(path))) continue;
    const left = paths.map((path) => old.get(path)!);
    const added: string[] = [];
    for (const path of paths) {
      const { value } = now.get(path)!.setting;
      const at = left.findIndex(({ setting }) => setting.value === value);
      if (at < 0) added.push(path);
      else left.splice(at, 1);
    }
    if (added.length !== 1 || paths.length < 2) continue;
    for (const path of paths) found.set(path, { from: path === added[0] ? left[0] : undefined });
  }
  return found;
}

/** The path of the list that an item is in; undefined for any other value. */
function listOf(path: string): string | undefined {
  const list = path.replace(/,"\d+"\]$/, '');
  return list === path ? undefined : list;
}

/** How many items the list of an item has; 0 for any other value. */
function itemsBeside(path: string, values: Values): number {
  const parent = path.replace(/,"\d+"\]$/, ',');
  return parent === path ? 0 : [...values.keys()].filter((one) => one.startsWith(parent)).length;
}

/** `"45s"` and `45` are the same number and not the same time; `"45"` is a text to some readers. */
function isSameForm(one: Written, other: Written): boolean {
  if (typeof one.setting.value !== 'number' || typeof other.setting.value !== 'number') return true;
  return one.setting.unit === other.setting.unit && isQuoted(one.text) === isQuoted(other.text);
}

const isQuoted = (text: string) => /^["'`]/.test(text);

const TEXT_CHARS_MAX = 60;

function bareText(text: string): string {
  return text
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .slice(0, TEXT_CHARS_MAX)
    .toWellFormed();
}

function valuesOf(file: string, text: string): Values {
  const read = settingsOf(file, text);
  const values = new Map<string, Written>();
  for (const setting of 'refused' in read ? [] : read.settings)
    values.set(JSON.stringify(setting.path), {
      setting,
      text: text.slice(setting.start, setting.end),
    });
  return values;
}

interface Versions {
  readonly before: string;
  readonly after: string;
  readonly old: Values;
  readonly now: Values;
  /** Lines with a value that is put back by itself, and where each was. */
  readonly valueLines: ReadonlyMap<number, number>;
}

/** Lines that say nothing to whoever reads the file: empty ones and comments. */
const SILENT_LINE = /^\s*(?:$|\/\/|\/?\*|#|--|;|<!--)/;

/** Parts that changed otherwise than by a value. */
function lineEdits(where: Where, versions: Versions): TargetEdit[] {
  const { before, after, old, now, valueLines } = versions;
  const isCode = formatOf(where.file)!.isCode === true;
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const changes = changesBetween(oldLines, newLines);
  const parts = changes.flatMap((change) => partsOf(change, valueLines));
  const oldParts = parts.map((part) => wordsIn(oldLines, part.a, part.aEnd));
  const newParts = parts.map((part) => wordsIn(newLines, part.b, part.bEnd));
  const [gone, come] = [partsOfValues(old, now, oldParts), partsOfValues(now, old, newParts)];
  return parts.flatMap(({ a, aEnd, b, bEnd, isWhole }, at): TargetEdit[] => {
    const lines = [...oldLines.slice(a, aEnd), ...newLines.slice(b, bEnd)];
    if (lines.every((line) => SILENT_LINE.test(line))) return [];
    const words = new Set([...oldParts[at]!.words, ...newParts[at]!.words]);
    const settings = [...(gone.get(at) ?? []), ...(come.get(at) ?? [])];
    // Where only the form changed, every value is what it was; what a program does is not all in its values.
    if (settings.length === 0 && !(isCode && isWhole)) return [];
    const some = isWhole ? {} : { lines: bEnd - b };
    return [{ ...where, kind: 'lines', line: b + 1, ...some, words, settings }];
  });
}

type Change = ReturnType<typeof changesBetween>[number];

/** Without the lines of values: where as many lines stand there as before, the others are parts by themselves. */
function partsOf(
  change: Change,
  valueLines: Versions['valueLines'],
): (Change & { readonly isWhole: boolean })[] {
  const { a, aEnd, b, bEnd } = change;
  const ofValues = Array.from({ length: bEnd - b }, (_, at) => valueLines.get(b + at + 1));
  if (ofValues.every((line) => line === undefined)) return [{ ...change, isWhole: true }];
  const isBeside = ofValues.every((line, at) => line === undefined || line === a + at + 1);
  if (!isBeside || aEnd - a !== bEnd - b) return [];
  return ofValues.flatMap((line, at) => {
    if (line !== undefined || (at > 0 && ofValues[at - 1] === undefined)) return [];
    const next = ofValues.findIndex((other, index) => index > at && other !== undefined);
    const end = next < 0 ? ofValues.length : next;
    return [{ a: a + at, aEnd: a + end, b: b + at, bEnd: b + end, isWhole: false }];
  });
}

/** Some lines of a text, from 1, and what they say. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly words: ReadonlySet<string>;
}

const wordsIn = (lines: readonly string[], from: number, to: number): Part => ({
  ...{ from: from + 1, to },
  words: new Set(wordsOfFile(lines.slice(from, to).join('')).said.keys()),
});

/** By the part that made it so, the values that only one of two versions has: those in its lines, and those below that are under a key of its. */
function partsOfValues(
  values: Values,
  others: Values,
  parts: readonly Part[],
): ReadonlyMap<number, Setting[]> {
  const found = new Map<number, Setting[]>();
  for (const [path, { setting }] of values) {
    const isKept = others.has(path) && itemsBeside(path, values) === itemsBeside(path, others);
    if (isKept) continue;
    const { line } = setting;
    const own = parts.findIndex(({ from, to }) => line >= from && line <= to);
    const keys = setting.path.slice(0, -1);
    const at =
      own >= 0
        ? own
        : parts.findLastIndex(
            ({ from, to, words }) => from <= to && to < line && keys.some((key) => words.has(key)),
          );
    if (at >= 0) found.set(at, [...(found.get(at) ?? []), setting]);
  }
  return found;
}

/** From 1. */
function firstDifference(one: string, other: string): number {
  const [a, b] = [one.split('\n'), other.split('\n')];
  const at = b.findIndex((line, index) => line !== a[index]);
  return (at < 0 ? Math.max(0, b.length - 1) : at) + 1;
}
