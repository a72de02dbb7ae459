/**
 * What can be seen of a cause, as clues: few words of a closed list in families that are nearly independent of each
 * other. How much a clue weighs is counted in generated worlds (`clue-weights.ts`); what is not known
 * gives no clue, because missing data is no evidence. Pure.
 *
 * - `how`: which diagnoser names it, and how strongly. `strength`: how strongly, whoever it is.
 * - `tail`: of a time limit, whether calls that succeed come near it, or beyond it for others who wait longer. Where none does, what
 *   is cut off is of another kind: it hangs, and a longer limit would not catch it.
 * - `patience`: whether others who wait longer at the same tool get what is cut off here, or hang as well.
 * - `when`: since when, after what, and whether it comes and goes.
 * - `others`: whether the other agents at the same tool fail as well.
 * - `number`: others explain it as well.
 * - `words`: what messages and codes say it is.
 *
 * Rejected, because they added nothing on worlds apart (ADR 076): whose place it is, by which diagnosers rank already,
 * and whether agents elsewhere fail in the same hours.
 */
import type { Course } from './course.ts';
import { messageShare } from './message-share.ts';
import { ownershipOf } from './ownership.ts';
import { isInFiles } from './subjects.ts';
import { longerWaitOf, tailOf } from './tail.ts';
import { TRANSIENT_WORDS } from './transient.ts';
import { clumpOf } from './tries-again.ts';
import type { Cause, Evidence, Failure } from './types.ts';
import { whyNow } from './why-now.ts';

export const CLUE_FAMILIES = [
  'how',
  'strength',
  'tail',
  'patience',
  'when',
  'others',
  'number',
  'words',
] as const;
type ClueFamily = (typeof CLUE_FAMILIES)[number];

export type Clues = Readonly<Partial<Record<ClueFamily, string>>>;

/** A cause with the diagnoser that names it most strongly. */
export interface NamedCause extends Cause {
  readonly by: string;
}

interface Around {
  readonly failure: Failure;
  readonly evidence: Evidence;
  readonly course: Course;
  /** All that is thought of. */
  readonly causes: readonly NamedCause[];
}

export function cluesOf(cause: NamedCause, around: Around): Clues {
  const { failure, course } = around;
  const where = isInFiles(cause.subject) ? 'files' : 'outside';
  const when = whenClue(cause, around);
  const longer = longerWaitOf(failure, around.evidence);
  const isForAll = cause.by === 'shared-tool' || hitsOthers(cause, around);
  const others = isForAll ? undefined : othersClue(failure, course);
  const clues: Readonly<Record<ClueFamily, string | undefined>> = {
    how: `${cause.by} ${strengthOf(cause)}`,
    strength: strengthOf(cause),
    tail: tailClue(cause, around),
    patience: longer && `${cause.by === 'setting-limit' ? 'limit' : where} ${longer}`,
    when: when && `${where} ${when}`,
    others: others && `${where} ${others}`,
    number: numberClue(cause, around),
    words: `${where} ${wordsOf(failure, around.causes)}`,
  };
  return Object.fromEntries(Object.entries(clues).filter(([, clue]) => clue !== undefined));
}

/** By what the diagnoser states; where it knows something against it, that is in it. */
function strengthOf({ confidence }: Cause): string {
  return confidence >= 0.8 ? 'strong' : confidence >= 0.5 ? 'fair' : 'weak';
}

function tailClue(
  { by, subject }: NamedCause,
  { failure, evidence }: Pick<Around, 'failure' | 'evidence'>,
): string | undefined {
  return by === 'setting-limit' && subject.kind === 'setting'
    ? tailOf(failure, evidence)
    : undefined;
}

const COURSE_FAILURES_MIN = 20;
/** Surely, beyond what chance makes. */
const UNEVEN = 1.3;
const BURSTS = 3;

function whenClue(cause: NamedCause, { failure, evidence, course }: Around) {
  const { commits, window } = evidence;
  if (course.kind === 'ended' && cause.isByLoad !== true) return 'over';
  // A commit to its file, as the weights of this clue were found; which values it changed only says whether to wait.
  const { trigger } = whyNow(course, cause, { commits, nowMs: window.toMs });
  if (trigger !== 'none') return `since ${trigger}`;
  if (failure.history.reduce((sum, { bad }) => sum + bad, 0) < COURSE_FAILURES_MIN)
    return undefined;
  const clump = clumpOf(failure.tries);
  if (course.dispersionNowLow / clump <= UNEVEN) return 'even';
  return course.dispersionNow / clump > BURSTS ? 'in bursts' : 'uneven';
}

/**
 * Too much load of one agent is felt by all at the tool, one that takes other arguments takes them of all, and one that
 * loses calls by chance loses everybody's.
 */
const FELT_BY_ALL = ['held-slots', 'load-limit', 'lost-attempts', 'retry-storm', 'wrong-call'];

/** Whether other agents at the same tool would fail by it as well: that they do does not speak against it. */
export function hitsOthers(
  cause: NamedCause,
  { failure, evidence }: Pick<Around, 'failure' | 'evidence'>,
): boolean {
  const { subject, by } = cause;
  if (FELT_BY_ALL.includes(by)) return true;
  // Calls that would take longer than a limit are cut off for everybody who has one like it.
  if (by === 'setting-limit' && tailClue(cause, { failure, evidence }) !== 'gap') return true;
  if (subject.kind !== 'setting') return false;
  const key = subject.path.join('\n');
  const setting = evidence.settings.find(
    ({ file, path }) => file === subject.file && path.join('\n') === key,
  );
  if (setting === undefined) return false;
  return ['tool', 'anyone'].includes(ownershipOf(setting, failure.agent, failure.tool));
}

const OTHERS_MIN = 30;

function othersClue({ history }: Failure, { episode }: Course): string | undefined {
  let [bad, all, calls, failed] = [0, 0, 0, 0];
  for (const bin of history) {
    if (episode !== null && bin.atMs < episode.fromMs) continue;
    bad += bin.bad;
    all += bin.all;
    calls += bin.othersCalls;
    failed += bin.othersFailed;
  }
  if (calls < OTHERS_MIN || all === 0 || bad === 0) return undefined;
  const ratio = failed / calls / (bad / all);
  return ratio >= 0.5 ? 'alike' : ratio < 0.2 ? 'well' : undefined;
}

function numberClue(cause: NamedCause, { causes }: Around): string | undefined {
  if (!isInFiles(cause.subject)) return undefined;
  const equal = causes.filter(
    ({ layer, confidence, subject }) =>
      layer === cause.layer && confidence === cause.confidence && isInFiles(subject),
  );
  // A copy of a file says the same thing twice; which of them is read is another question.
  const different = new Set(equal.map(({ subject }) => saidBy(subject)));
  return different.size === 1 ? undefined : different.size === 2 ? 'of two' : 'of several';
}

/** The same for copies. */
export function saidBy(subject: Cause['subject']): string {
  return subject.kind === 'setting'
    ? JSON.stringify([subject.path, subject.value])
    : JSON.stringify(subject);
}

function wordsOf(failure: Failure, causes: readonly NamedCause[]): string {
  if (failure.kind !== 'other') return failure.kind.replaceAll('_', ' ');
  const said = causes.find(({ by }) => by === 'message-words');
  if (said !== undefined) return said.layer === 'output' ? 'bad form' : 'wrong call';
  return messageShare(failure, TRANSIENT_WORDS, '') === undefined ? 'other' : 'network';
}
