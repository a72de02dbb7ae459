/**
 * What commits changed in the target's files, value by value, and which texts. Only commits right before some failure
 * began are read, and of each only its first files. Files are attacker-controlled: what cannot be read is left out.
 */
import { decodeText, formatOf } from '../document/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import { settingsOf } from './settings-of.ts';
import type { Setting, TargetCommit, TargetEdit } from './types.ts';

const COMMITS_MAX = 20;
const FILES_MAX = 20;
const EDITS_MAX = 500;
const FILE_BYTES_MAX = 1024 * 1024;
/** The agents' own texts; code is not put back by its lines. */
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
  const format = formatOf(where.file);
  const values = format === undefined ? [] : changedValues(where.file, before, after);
  const edits: TargetEdit[] = values.map(({ from, to }) => ({
    ...where,
    kind: 'value',
    path: to.path,
    before: from.value,
    after: to.value,
  }));
  if (edits.length > 0 || !TEXTS.test(where.file)) return edits;
  return [{ ...where, kind: 'text', line: firstDifference(before, after) }];
}

/** By their paths; a path that is there twice says nothing. */
function changedValues(file: string, before: string, after: string) {
  const [old, now] = [valuesOf(file, before), valuesOf(file, after)];
  return [...now].flatMap(([path, to]) => {
    const from = old.get(path);
    return from === undefined || from.value === to.value ? [] : [{ from, to }];
  });
}

function valuesOf(file: string, text: string): Map<string, Setting> {
  const read = settingsOf(file, text);
  const values = new Map<string, Setting>();
  for (const one of 'refused' in read ? [] : read.settings)
    values.set(JSON.stringify(one.path), one);
  return values;
}

/** From 1. */
function firstDifference(one: string, other: string): number {
  const [a, b] = [one.split('\n'), other.split('\n')];
  const at = b.findIndex((line, index) => line !== a[index]);
  return (at < 0 ? Math.max(0, b.length - 1) : at) + 1;
}
