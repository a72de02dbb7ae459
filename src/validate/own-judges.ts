/**
 * What a change brings along that its own evidence reads (VAL-6, rule 10), by what the commands really read and not by names
 * (`judging.ts` has those). Tests read the agents' files too, so reading alone makes no judge. What the operator declared as the
 * agents' is the subject. Anything else that was read may be what the subject is measured by: then the change has to keep its verdict
 * with the base's version of it (ADR 123).
 *
 *   the change touches      may judge
 *   agents' files        ──► everything else that was read
 *   none of them         ──► data and prose that was read; the code is what is tested
 */
import { posix } from 'node:path';
import { type CommitId, shownPath } from '../git/index.ts';
import { isText } from '../policy/index.ts';
import type { CandidateChange, ModeVerdict, TouchedFile, ValidatePorts } from './types.ts';

/** What the commands read of what the change touches; undefined where that is not known. */
export interface FilesRead {
  readonly onBase: ReadonlySet<string> | undefined;
  readonly onCandidate: ReadonlySet<string> | undefined;
}

/** Runs may differ: what one of them read was read. */
export function readInAll(
  runs: readonly { readonly read?: ReadonlySet<string> | undefined }[],
): ReadonlySet<string> | undefined {
  const known = runs.flatMap(({ read }) => (read === undefined ? [] : [read]));
  return known.length === 0 ? undefined : new Set(known.flatMap((read) => [...read]));
}

export interface Read {
  /** What may judge it. */
  readonly judges: readonly TouchedFile[];
  /** What is left of it without these, as far as it matters to the commands. */
  readonly judged: readonly TouchedFile[];
}

export function readOf(
  files: readonly TouchedFile[],
  { onBase, onCandidate }: FilesRead,
  agentFiles: readonly string[],
): Read {
  const isSubject = ({ path }: TouchedFile) =>
    agentFiles.some((glob) => posix.matchesGlob(path, glob));
  const others = files.filter((file) => !isSubject(file));
  const hasSubject = others.length < files.length;
  // A change of data alone runs nothing but the base's programs: what they read of it can be believed.
  const isDataAlone = files.every(({ path }) => isText(path));
  const wasRead = ({ path, before }: TouchedFile) => {
    const isIn = (read: ReadonlySet<string> | undefined) => read?.has(path) ?? true;
    return before === undefined ? !isDataAlone || isIn(onCandidate) : isIn(onBase);
  };
  const judges = others.filter((file) => (hasSubject || isText(file.path)) && wasRead(file));
  const judged = files.filter(
    (file) => !judges.includes(file) && (isSubject(file) || wasRead(file)),
  );
  return { judges, judged };
}

/** The candidate with the base's version of these files. */
async function withBasesOwn(
  { base, candidate }: CandidateChange,
  judges: readonly TouchedFile[],
  { repository }: Pick<ValidatePorts, 'repository'>,
): Promise<CommitId> {
  const changes = await Promise.all(
    judges.map(async ({ path }) => ({
      path,
      content: (await repository.readFile(base, path)) ?? null,
    })),
  );
  const tree = await repository.writeFiles(candidate, changes);
  const { author } = await repository.commitInfo(candidate);
  return repository.commit({ tree, parents: [base], message: 'Judged by the base\n', author });
}

/** `read` undefined: no files of the target were run. */
export type JudgedRuns = ModeVerdict & { readonly read: FilesRead | undefined };

/** A verdict that speaks for the change is asked for again with the base's version of what may have judged it. */
export async function judgedByBase(
  change: CandidateChange,
  ports: Pick<ValidatePorts, 'repository' | 'agentFiles'>,
  judge: (change: CandidateChange) => Promise<JudgedRuns>,
): Promise<ModeVerdict> {
  const { read, ...verdict } = await judge(change);
  if (verdict.verdict !== 'passed' || read === undefined) return verdict;
  const { judges, judged } = readOf(change.files, read, ports.agentFiles);
  if (judges.length === 0) return isUnread(change.files, read) ? withUnread(verdict) : verdict;
  const paths = judges.map(({ path }) => shownPath(path)).join(', ');
  if (judged.length === 0) return inconclusive(`${ONLY} ${paths}. ${DECLARE}`, verdict);
  const held = await withBasesOwn(change, judges, ports);
  const { read: _, ...again } = await judge({ ...change, candidate: held });
  if (again.verdict === 'passed' && again.improvesTarget === verdict.improvesTarget)
    return {
      ...verdict,
      reasons: [...verdict.reasons, `The verdict is the same with the base’s own ${paths}.`],
      found: { ...(verdict.found as object), judgedByBase: again.found },
    };
  const why = `It is proven only together with its own ${paths}, which the command reads and which may be what it is measured by (rule 10). With the base’s: ${again.reasons[0]!}`;
  return inconclusive(`${why} ${DECLARE}`, verdict, again);
}

function isUnread(files: readonly TouchedFile[], { onBase, onCandidate }: FilesRead): boolean {
  return files.every(({ path }) => onBase?.has(path) === false && onCandidate?.has(path) === false);
}

function withUnread(verdict: ModeVerdict): ModeVerdict {
  const words =
    'The command read none of the files that the change touches: it says nothing of what the change does.';
  return { ...verdict, reasons: [...verdict.reasons, words] };
}

const ONLY =
  'All that the command reads of this change is data that may be what it measures by, which would prove nothing (rule 10):';
const DECLARE = 'What belongs to the agents can be declared in target.agentFiles.';

function inconclusive(reason: string, verdict: ModeVerdict, again?: ModeVerdict): ModeVerdict {
  return {
    ...{ verdict: 'inconclusive', improvesTarget: null, unjudged: 'touches_judge' },
    reasons: [reason, ...verdict.reasons],
    found: {
      ...(verdict.found as object),
      ...(again === undefined ? {} : { judgedByBase: again.found }),
    },
  };
}
