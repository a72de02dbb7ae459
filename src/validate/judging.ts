/**
 * Whether a change touches what would judge it (VAL-6, rule 10): a file of a judging kind, a package
 * manifest in a field that decides what runs, a file that the evidence's commands name, or what a link of
 * one of these names leads to. Then the evidence proves nothing.
 */
import { posix } from 'node:path';
import { canonicalJson, type Json } from '../base/index.ts';
import { type CommitId, shownPath, type TargetRepository } from '../git/index.ts';
import { isNamedBy, judgingFile, matchingPath } from '../policy/index.ts';
import { type Command, type CommandFiles, filesOfCommands } from './command-files.ts';
import { type GateFiles, readGateFiles } from './gate-files.ts';
import { fieldsOf, MANIFEST, scriptsOf } from './named-scripts.ts';
import type { FileSide, TouchedFile } from './types.ts';

export interface JudgingInput {
  readonly base: CommitId;
  readonly repository: Pick<TargetRepository, 'listFiles' | 'readFile' | 'readLink'>;
  readonly commands: readonly Command[];
  /** The agents' own files: a command that is given one runs it, and is not judged by it. */
  readonly agentFiles: readonly string[];
  /** What the commands are. */
  readonly evidence: 'replay' | 'tests' | 'evaluation';
}

const WORDS = {
  replay: { runs: 'the replay runs', given: 'the replay is given', proves: 'a replay' },
  tests: { runs: 'the tests run', given: 'the tests are given', proves: 'the tests' },
  evaluation: {
    ...{ runs: 'the evaluation runs', given: 'the evaluation is given' },
    proves: 'the evaluation',
  },
};

const LINKS_MAX = 1000;
/** A link to its own folder gives names without end. */
const NAMES_MAX = 100;

/** A sentence about the first such file; undefined when the change leaves its judges alone. */
export async function judgingTouch(
  files: readonly TouchedFile[],
  input: JudgingInput,
): Promise<string | undefined> {
  const { repository, base, commands, agentFiles } = input;
  const scripts = commands.length === 0 ? {} : await scriptsOf(repository, base);
  const isGuessed = files.some(({ path }) => judgingFile(path, agentFiles)?.isSure === false);
  const named = {
    ...filesOfCommands(commands, scripts),
    mentions: isGuessed ? (await readGateFiles(input)).inFiles : [],
  };
  const reasonOf = (path: string) => reasonFor(path, named, input);
  const links = await readLinks(input);
  for (const file of files) {
    const { path } = file;
    if (isManifest(path) && decidesNothing(file)) continue;
    for (const name of namesOf(path, links)) {
      const why = reasonOf(name);
      if (why === undefined) continue;
      const by = name === path ? '' : `by the link ${shownPath(name)}, `;
      return `It touches ${shownPath(path)}, ${by}${why}: ${WORDS[input.evidence].proves} would prove nothing (rule 10).`;
    }
  }
  return undefined;
}

function reasonFor(
  path: string,
  { runs, reads, mentions }: CommandFiles & { readonly mentions: GateFiles['inFiles'] },
  { agentFiles, evidence }: JudgingInput,
): string | undefined {
  const judging = judgingFile(path, agentFiles);
  if (judging?.isSure === true) return 'which judges changes';
  if (matchingPath(path, runs) !== undefined) return `which ${WORDS[evidence].runs}`;
  const isSubject = agentFiles.some((glob) => posix.matchesGlob(path, glob));
  if (!isSubject && matchingPath(path, reads) !== undefined)
    return `which ${WORDS[evidence].given}`;
  // Named by what the commands run, and by its own name a judge: both together are more than a guess.
  if (judging !== undefined && isNamedBy(path, judging.by, mentions))
    return `which ${WORDS[evidence].given}`;
  return undefined;
}

interface Link {
  readonly path: string;
  /** From the root; `.` is the root itself. */
  readonly target: string;
}

/** One that leads out of the target leads to nothing that a change can touch. */
async function readLinks({ repository, base }: JudgingInput): Promise<readonly Link[]> {
  const found = (await repository.listFiles(base, '')).filter(({ kind }) => kind === 'symlink');
  const links: Link[] = [];
  for (const { path } of found.slice(0, LINKS_MAX)) {
    const link = await repository.readLink(base, path);
    if (link === undefined || posix.isAbsolute(link)) continue;
    const target = posix.join(posix.dirname(path), link).replace(/\/$/, '');
    if (target !== '..' && !target.startsWith('../')) links.push({ path, target });
  }
  return links;
}

/** Every name that opens a file: its own, and by links, also several in a row. */
function namesOf(path: string, links: readonly Link[]): ReadonlySet<string> {
  const names = new Set([path]);
  for (const name of names) {
    for (const link of links) {
      const [folder, inside] = [`${link.target}/`.toLowerCase(), name.toLowerCase()];
      if (names.size >= NAMES_MAX) return names;
      if (link.target === '.') names.add(`${link.path}/${name}`);
      else if (`${inside}/` === folder) names.add(link.path);
      else if (inside.startsWith(folder)) names.add(link.path + name.slice(folder.length - 1));
    }
  }
  return names;
}

function isManifest(path: string): boolean {
  return matchingPath(path, [MANIFEST]) !== undefined;
}

/** Fields that only describe a package. Any other may be read by something that runs. */
const DESCRIPTIVE = new Set([
  'author',
  'bugs',
  'contributors',
  'description',
  'funding',
  'homepage',
  'keywords',
  'license',
  'repository',
  'version',
]);

function decidesNothing({ before, after }: TouchedFile): boolean {
  const [old, now] = [deciding(before), deciding(after)];
  return old !== undefined && old === now;
}

/** The fields that decide what runs, as one text; undefined for what cannot be read. */
function deciding(side: FileSide | undefined): string | undefined {
  // A manifest that names a field twice means another one to another reader.
  if (side?.text === undefined || side.structure?.ok !== true) return undefined;
  const fields = fieldsOf(side.text);
  if (fields === undefined) return undefined;
  const kept = Object.entries(fields as Record<string, Json>).filter(
    ([key]) => !DESCRIPTIVE.has(key),
  );
  return canonicalJson(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
