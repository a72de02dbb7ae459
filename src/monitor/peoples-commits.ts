/**
 * Whether people committed what did the harm: a commit to the file of a change, or of its agent, right before the harm began competes
 * with a change that had done none for longer, as changes compete with each other (`tie-back.ts`). Pure.
 */
import type { Place } from './rings.ts';
import { type Suspect, tieBack, WORTH_TRYING } from './tie-back.ts';

/** A commit of the target branch that is not Hone's. */
export interface PeoplesCommit {
  readonly id: string;
  readonly title: string;
  readonly atMs: number;
  readonly paths: readonly string[];
}

/** What was changed, and for whom. */
export interface ChangedFiles {
  readonly agent: string | null;
  readonly files: readonly string[];
  readonly startedAtMs: number;
}

/** How exactly a beginning is known. */
const ABOUT_MS = 15 * 60_000;
/** A commit is at what its files are named after. */
const ALIKE = { ring: 0, sharers: 'none', isElsewhere: false, load: undefined } as const;
/** No id of a commit. */
const OWN = 'own';
/** A change that is likelier than this is taken back all the same. */
const UNLIKELY = 0.1;

/** The likeliest cause of harm that began then, where the change itself is hardly one; else undefined. */
export function commitBehind(
  beganAtMs: number,
  { agent, files, startedAtMs }: ChangedFiles,
  commits: readonly PeoplesCommit[],
): PeoplesCommit | undefined {
  const near = commits.filter(
    ({ atMs, paths }) =>
      atMs > startedAtMs &&
      atMs <= beganAtMs + ABOUT_MS &&
      paths.some((path) => files.includes(path) || isOf(path, agent)),
  );
  if (near.length === 0) return undefined;
  const suspicions = tieBack({ lowMs: beganAtMs - ABOUT_MS, highMs: beganAtMs }, [
    { proposalId: OWN, startedAtMs, ...ALIKE },
    ...near.map(suspectBy),
  ]);
  const own = suspicions.find(({ proposalId }) => proposalId === OWN)!.probability;
  const [likeliest] = suspicions;
  if (own > UNLIKELY || likeliest!.probability < WORTH_TRYING) return undefined;
  return near.find(({ id }) => id === likeliest!.proposalId);
}

/**
 * Commits that may have done late harm at this place, as suspects beside the changes: a file of theirs is named after its agent or its
 * tool. They are asked by their time alone: what they changed is not read.
 */
export function commitsAt(
  { agent, tool }: Place,
  commits: readonly PeoplesCommit[],
): readonly Suspect[] {
  const isAt = (path: string) => isOf(path, agent) || isOf(path, tool);
  return commits.filter(({ paths }) => paths.some(isAt)).map(suspectBy);
}

function suspectBy({ id, atMs }: PeoplesCommit): Suspect {
  return { proposalId: id, startedAtMs: atMs, ...ALIKE };
}

/** Whether a part of the path has the very name of the agent, however it is written. */
function isOf(path: string, agent: string | null): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  if (agent === null || plain(agent) === '') return false;
  return path.split('/').some((part) => plain(part.replace(/\.[^.]*$/, '')) === plain(agent));
}
