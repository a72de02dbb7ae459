/**
 * What the gates of a target name (VAL-6): the commands that give evidence, CI and hooks, and the files that these run or
 * are given. All of it is the base's, which the change under test did not write. A name in a text is a mention, not a proof
 * that the file is read: it counts only together with a name that says that the file judges (`policy/judging-files.ts`).
 */
import type { CommitId, TargetRepository } from '../git/index.ts';
import { CI_PATHS, matchingPath } from '../policy/index.ts';
import { type Command, filesOfCommands, mentionsIn } from './command-files.ts';
import { scriptsOf } from './named-scripts.ts';

export interface GateInput {
  readonly base: CommitId;
  readonly repository: Pick<TargetRepository, 'listFiles' | 'readFile'>;
  readonly commands: readonly Command[];
}

export interface GateFiles {
  /** Patterns of what the evidence's commands, CI and hooks name. */
  readonly direct: readonly string[];
  /** Patterns of what is named in the files that the evidence's commands name. */
  readonly inFiles: readonly string[];
  /** The same of CI and hooks. */
  readonly inCiFiles: readonly string[];
}

/** `.git*` also has lists of names that run nothing. */
const CI_FILES: readonly string[] = [
  ...CI_PATHS.filter((pattern) => pattern !== '.git*'),
  '.gitlab-ci.yml',
];
const FILES_MAX = 50;
const FILE_BYTES_MAX = 256 * 1024;

export async function readGateFiles(input: GateInput): Promise<GateFiles> {
  const { repository, base, commands } = input;
  const found = await repository.listFiles(base, '');
  const paths = found
    .filter(({ kind, sizeBytes }) => kind === 'file' && sizeBytes <= FILE_BYTES_MAX)
    .map(({ path }) => path);
  const textsOf = async (patterns: readonly string[]) => {
    const wanted = paths.filter((path) => matchingPath(path, patterns) !== undefined);
    const texts: string[] = [];
    for (const path of wanted.slice(0, FILES_MAX)) {
      const bytes = await repository.readFile(base, path);
      if (bytes !== undefined) texts.push(Buffer.from(bytes).toString());
    }
    return texts;
  };
  const scripts = await scriptsOf(repository, base);
  const namedBy = (asked: readonly Command[]) => {
    const { runs, reads } = filesOfCommands(asked, scripts);
    return [...runs, ...reads];
  };
  const inFiles = async (named: readonly string[]) => (await textsOf(named)).flatMap(mentionsIn);
  const evidence = namedBy(commands);
  // All of a CI's text, in which scripts are called by their names.
  const texts = await textsOf(CI_FILES);
  const words = new Set(texts.flatMap((text) => text.split(/[\s"']+/)));
  const called = Object.keys(scripts).filter((name) => words.has(name));
  const ci = [...texts.flatMap(mentionsIn), ...namedBy(called.map((name) => [name]))];
  return {
    direct: [...evidence, ...ci],
    inFiles: await inFiles(evidence),
    inCiFiles: await inFiles(ci),
  };
}
