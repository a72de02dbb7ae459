/**
 * Which names are tools, and which are arguments of them: by the target's definitions at the base, and by what tools told
 * telemetry of their parameters. The change under test wrote none of it.
 */
import { posix } from 'node:path';
import { decodeText } from '../document/index.ts';
import type { RecentCall } from '../facts/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import { givenArguments } from './argument-lists.ts';
import { nameOf } from './plain-lists.ts';
import type { KnownNames } from './policy-context.ts';
import { isContainer } from './privilege-tests.ts';
import { readStructure, type Structure } from './structure.ts';
import { isItem, wordsOf } from './structure-changes.ts';
import { ARGUMENT_KEYS } from './tool-definitions.ts';

const FILES_MAX = 200;
const FILE_BYTES_MAX = 64 * 1024;

interface Definitions {
  readonly repository: Pick<TargetRepository, 'listFiles' | 'readFile'>;
  readonly base: CommitId;
  readonly agentFiles: readonly string[];
  /** Files that count as definitions too. */
  readonly touched: readonly string[];
  /** What the change takes away as wrong names of tools. */
  readonly replaced?: readonly string[];
}

/** One call may fail for anything; so many without one answer are calls of nothing. */
const IN_VAIN_MIN = 3;

export async function readNames(
  { repository, base, agentFiles, touched, replaced = [] }: Definitions,
  calls: (tools: readonly string[]) => Promise<readonly RecentCall[]>,
): Promise<KnownNames> {
  const tools = new Set<string>();
  const found = new Map<string, Set<string>>();
  const files = (await repository.listFiles(base, '')).filter(
    ({ path, kind, sizeBytes }) =>
      kind === 'file' &&
      sizeBytes <= FILE_BYTES_MAX &&
      (touched.includes(path) || agentFiles.some((glob) => posix.matchesGlob(path, glob))),
  );
  const known = (tool: string) => {
    tools.add(tool.toLowerCase());
    return found.get(tool) ?? found.set(tool, new Set()).get(tool)!;
  };
  for (const { path } of files.slice(0, FILES_MAX)) {
    const text = decodeText((await repository.readFile(base, path)) ?? new Uint8Array());
    const structure = text === undefined ? undefined : readStructure(path, text);
    if (structure?.ok === true) collect(structure, known);
  }
  const defined = [...found.keys()];
  const made = await calls([...new Set([...defined, ...replaced])]);
  for (const { tool, parameterNames = [] } of made)
    if (defined.includes(tool)) for (const name of parameterNames) known(tool).add(name);
  const calledInVain = new Set(replaced.filter((name) => isCalledInVain(name, made)));
  return { tools, arguments: found, calledInVain, given: givenArguments(made) };
}

function isCalledInVain(name: string, calls: readonly RecentCall[]): boolean {
  const own = calls.filter(({ tool }) => tool === name);
  return own.length >= IN_VAIN_MIN && own.every(({ failedWith }) => failedWith !== null);
}

function collect(
  { leaves }: Structure & { readonly ok: true },
  known: (tool: string) => Set<string>,
): void {
  for (const { path } of leaves.values()) {
    const at = path.findLastIndex((one) => !isItem(one) && isContainer(wordsOf(one)));
    const tool = at < 0 ? undefined : path[at + 1];
    if (tool === undefined) continue;
    const names = known(nameOf(tool));
    for (const [index, key] of path.entries()) {
      const below = path[index + 1];
      if (index <= at + 1 || below === undefined) continue;
      const isArgument = isItem(below) && ARGUMENT_KEYS.has(wordsOf(key).join(''));
      if (key === 'properties' || isArgument) names.add(nameOf(below));
    }
  }
}
