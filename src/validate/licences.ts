/**
 * Licences in a patch (VAL-7), as far as the files tell: the project's own, in a file or in a manifest's field, and those of
 * new dependencies. A licence that is not among the allowed ones is refused. Whether one that nothing tells of will do, and
 * whether the project's own may change, a person decides. Of the lock files only npm's has licences.
 */
import { posix } from 'node:path';
import { z } from 'zod';
import { shownPath } from '../git/index.ts';
import { matchingPath } from '../policy/index.ts';
import { addedLines } from './added-lines.ts';
import { type PatchFinding, refused, warned } from './patch-finding.ts';
import { isItem, structureChanges, type ValueChange } from './structure-changes.ts';
import type { FileSide, TouchedFile } from './types.ts';

const RULE = 'licences';
const LICENCE_FILES = ['licen[cs]e', 'copying', 'unlicense'].map(
  (name) => new RegExp(`^${name}(?:$|[.-])`, 'i'),
);
const NPM_LOCK = ['package-lock.json', 'npm-shrinkwrap.json'];
const MANIFESTS = ['package.json', 'pyproject.toml', 'Cargo.toml', 'composer.json'];
/** Of manifests that have no structure, a line of theirs is a dependency. */
const LINES: readonly (readonly [pattern: string, line: RegExp])[] = [
  ['requirements*.txt', /^([A-Za-z0-9][\w.-]*)/],
  ['go.mod', /^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/\S+)\s+v\d/],
];

export function licenceFindings(
  files: readonly TouchedFile[],
  allowed: readonly string[],
): PatchFinding[] {
  const locked = lockedNames(files);
  return files.flatMap((file) => [
    ...ownLicence(file, allowed),
    ...lockedLicences(file, allowed),
    ...newDependencies(file, locked),
  ]);
}

function ownLicence(file: TouchedFile, allowed: readonly string[]): PatchFinding[] {
  const { path, patch } = file;
  const name = posix.basename(path);
  if (LICENCE_FILES.some((one) => one.test(name))) {
    const at = { rule: RULE, path, line: null };
    if (patch.action === 'delete') return [refused(at, `${shownPath(path)}: the licence is gone.`)];
    return [warned(at, `${shownPath(path)} says under which licence this is: a person decides.`)];
  }
  if (matchingPath(path, MANIFESTS) === undefined) return [];
  return changesOf(file)
    .filter(({ path: at }) => /^licen[cs]e$/i.test(at.at(-1) ?? '') && at.length <= 2)
    .map(({ to, line }) => {
      const at = { rule: RULE, path, line: line ?? null };
      if (to === undefined) return refused(at, `${shownPath(path)}: the licence is gone.`);
      const words = `${shownPath(path)}: the licence would be ${shownPath(String(to))}`;
      return isAllowed(String(to), allowed)
        ? warned(at, `${words}: a person decides.`)
        : refused(at, `${words}, which is not allowed.`);
    });
}

function lockedLicences({ path, before, after }: TouchedFile, allowed: readonly string[]) {
  if (matchingPath(path, NPM_LOCK) === undefined) return [];
  const known = packagesIn(before);
  return [...packagesIn(after)]
    .filter(([name, licence]) => known.get(name) !== licence && !isAllowed(licence, allowed))
    .map(([name, licence]) =>
      refused(
        { rule: RULE, path, line: null },
        `${shownPath(name)} is under ${shownPath(licence)}, which is not allowed.`,
      ),
    );
}

/** Names of packages whose licence a lock file of this change tells. */
function lockedNames(files: readonly TouchedFile[]): ReadonlySet<string> {
  const locks = files.filter(({ path }) => matchingPath(path, NPM_LOCK) !== undefined);
  return new Set(locks.flatMap(({ after }) => [...packagesIn(after).keys()]));
}

const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ license: z.string().max(1000).optional() })),
});

/** `packages: { node_modules/x: { license: MIT } }`. Larger than any file of agents, and of one known shape. */
function packagesIn(side: FileSide | undefined): ReadonlyMap<string, string> {
  const read = lockSchema.safeParse(jsonOf(side?.text));
  const found = Object.entries(read.data?.packages ?? {});
  return new Map(
    found.flatMap(([key, { license }]) =>
      license === undefined || key === '' ? [] : [[packageName(key), license]],
    ),
  );
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function newDependencies(file: TouchedFile, locked: ReadonlySet<string>): PatchFinding[] {
  return [...addedDependencies(file)]
    .filter(([name]) => !locked.has(name))
    .map(([name, line]) =>
      warned(
        { rule: RULE, path: file.path, line },
        `The licence of the new dependency ${shownPath(name)} is not known: a person decides.`,
      ),
    );
}

function addedDependencies(file: TouchedFile): ReadonlyMap<string, number | null> {
  const { path, patch, before } = file;
  const [, lineOf] = LINES.find(([pattern]) => matchingPath(path, [pattern]) !== undefined) ?? [];
  if (lineOf !== undefined) {
    const known = new Set((before?.text ?? '').split('\n').map((one) => lineOf.exec(one)?.[1]));
    const lines = addedLines(patch).map(({ text, number }) => [lineOf.exec(text)?.[1], number]);
    return new Map(
      lines.filter(
        (one): one is [string, number] => one[0] !== undefined && !known.has(one[0] as string),
      ),
    );
  }
  if (matchingPath(path, MANIFESTS) === undefined) return new Map();
  const compared = structureChanges(file);
  if (compared?.ok !== true) return new Map();
  const found = new Map<string, number | null>();
  for (const { kind, path: at, line } of compared.changes) {
    const own = at.findIndex((one) => !isItem(one) && /dependencies$/i.test(one));
    const entry = at[own + 1];
    if (kind !== 'added' || own < 0 || entry === undefined) continue;
    // A list's entry is `name>=1`, and one with another version is another entry.
    const name = isItem(entry) ? /^- ([A-Za-z0-9][\w.-]*)/.exec(entry)?.[1] : entry;
    const had =
      isItem(entry) &&
      compared.changes.some(
        (one) => one.kind === 'removed' && one.path[own + 1]?.startsWith(`- ${name}`),
      );
    if (name !== undefined && !had && !compared.existed(at.slice(0, own + 2)))
      found.set(name, line ?? null);
  }
  return found;
}

function changesOf(file: TouchedFile): readonly ValueChange[] {
  const compared = structureChanges(file);
  return compared?.ok === true ? compared.changes : [];
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
function packageName(key: string): string {
  return key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

const EXPRESSION_MAX = 500;

/** An SPDX expression: one side of `OR` is enough, all of `AND` are needed, an exception after `WITH` only adds leave. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const names = new Set(allowed.map((one) => one.toLowerCase()));
  const tokens = expression.slice(0, EXPRESSION_MAX).match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const next = (word: string) => tokens[at]?.toUpperCase() === word && ++at > 0;
  const either = (): boolean => {
    let is = both();
    while (next('OR')) is = both() || is;
    return is;
  };
  const both = (): boolean => {
    let is = one();
    while (next('AND')) is = one() && is;
    return is;
  };
  const one = (): boolean => {
    if (next('(')) return either() && next(')');
    const is = names.has((tokens[at++] ?? '').toLowerCase().replace(/\+$/, ''));
    if (next('WITH')) at++;
    return is;
  };
  return either() && at === tokens.length;
}
