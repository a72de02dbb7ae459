/**
 * Blames what a commit changed right before a failure began: a value, some lines of settings or code, or a text that the
 * agent is given. What the words mean does not matter: a unit, a name, a prompt. It competes
 * with trouble outside, which begins now and then whatever people commit: what counts is how exactly the beginning is
 * known and how soon after the commit it came, whose the changed place is, and whether those that the commit does not
 * reach are well. Evidence is in nats.
 */
import { isoTime } from '../../../base/index.ts';
import { quotedName } from '../../../text/index.ts';
import { courseOf, type Episode } from '../../course.ts';
import { cutOffAt } from '../../latency-shape.ts';
import { isSaidByOwn, OWNER_RANK, type Ownership, ownershipOf } from '../../ownership.ts';
import { isMentioned } from '../../references.ts';
import { isMentionedBy, settingOwner } from '../../setting-owner.ts';
import { sizeStepOf } from '../../size-step.ts';
import { settingSubject, textSubject } from '../../subjects.ts';
import { isToolName, toolNames } from '../../tool-names.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
  type Reason,
  type Setting,
  type TargetEdit,
} from '../../types.ts';
import { percent, sameName, shown } from '../../wording.ts';
import { refusedAccess } from '../refused-access/refused-access.ts';
import {
  canCutOff,
  canTimeDo,
  hasMoved,
  isHeldLonger,
  isOfTime,
  isSlowForOthers,
  othersAreAsLong,
  settingAt,
  wasThere,
} from './signs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** A change shows at once, or when its agents are next started: rarely later than this. */
const LAG_MS = 6 * HOUR_MS;
/** Rates a day: a commit that breaks something, a provider's trouble, something else. */
const COMMIT_PRIOR = 0.02;
const OUTSIDE_PRIOR = 0.18;
const UNKNOWN_PRIOR = 0.05;
const CLIP = 2.3;
const WHERE: Readonly<Record<Ownership, number>> = {
  none: Number.NEGATIVE_INFINITY,
  anyone: 0,
  agent: 1.6,
  tool: 1.6,
  both: 2.3,
};
const WELL = 1.6;
const OTHERS_CALLS_MIN = 30;
const EQUAL = Math.log(3);
const SURE_MAX = 0.95;
const LIKELIER = 0.5;

export const regression: Diagnoser = {
  name: 'regression',
  explain(failure, evidence) {
    const { kind, episode } = courseOf(failure.history, evidence.failureShare);
    if (kind !== 'began' || episode === null) return [];
    const near = (evidence.edits ?? []).filter(
      ({ atMs }) => atMs <= episode.fromHighMs && atMs >= episode.fromLowMs - LAG_MS,
    );
    const limit = cutOffAt(failure.failedLatency, failure.succeededLatency);
    const areOthersAsLong = othersAreAsLong(failure, evidence);
    const isSlow = isSlowForOthers(failure, episode, evidence);
    const reached = near.flatMap((edit) => {
      if (wasThere(edit, episode, failure, evidence.failureShare)) return [];
      const owner = ownerOf(edit, failure, evidence);
      if (owner === 'anyone' && isOthersFile(edit, failure, evidence)) return [];
      if (owner === 'anyone' && isUnread(edit, evidence)) return [];
      if (owner === 'none' || !isInPlace(edit, evidence)) return [];
      if (limit !== null && !canCutOff(edit, owner, { limit, settings: evidence.settings }))
        return [];
      if (areOthersAsLong && edit.kind === 'text') return [];
      if (!canTimeDo(edit, failure, evidence)) return [];
      // What is this agent's own is not why others fail as well; what all of them use is.
      const isOwn = owner === 'agent' || owner === 'both';
      if (isOwn && isSlow && !isOfTime(edit, failure, evidence)) return [];
      const isRefuted = isOwn && isOthersToo(failure, episode, evidence);
      return isRefuted && !isHeldLonger(edit, failure, evidence) ? [] : [{ edit, owner }];
    });
    // One that is nobody's in particular is thought of only where none is somebody's.
    const isOwned = reached.some(({ owner }) => owner !== 'anyone');
    const found = reached.filter(({ owner }) => !isOwned || owner !== 'anyone');
    if (found.length === 0) return [];
    const timed = hasMoved(failure, episode.fromMs)
      ? found.filter(({ edit }) => isOfTime(edit, failure, evidence))
      : [];
    return causesOf(timed.length > 0 ? timed : found, { failure, episode, evidence });
  },
};

interface Reached {
  readonly edit: TargetEdit;
  readonly owner: Ownership;
}

interface Around {
  readonly failure: Failure;
  readonly episode: Episode;
  readonly evidence: Evidence;
}

function causesOf(found: readonly Reached[], around: Around): Cause[] {
  const { failure, episode } = around;
  const well = isRefused(around) ? undefined : (othersWell(around) ?? callsWell(around));
  const scored = found
    .map((one) => ({
      ...one,
      score:
        Math.log(COMMIT_PRIOR / sameCommit(one, found)) +
        whenNats(one.edit, episode, failure) +
        (isAnyLine(one.edit) ? ANY_LINE : 0) +
        WHERE[one.owner] +
        (well === undefined ? 0 : WELL),
    }))
    .sort((a, b) => b.score - a.score || OWNER_RANK.indexOf(b.owner) - OWNER_RANK.indexOf(a.owner));
  const best = scored[0]!.score;
  const equal = scored.filter(({ score }) => score > best - EQUAL);
  const weight = (some: readonly { score: number }[]) =>
    some.reduce((sum, { score }) => sum + Math.exp(score), 0);
  const outside = OUTSIDE_PRIOR * (well === undefined ? 1 : Math.exp(-WELL));
  const sure = weight(equal) / (weight(scored) + outside + UNKNOWN_PRIOR);
  // Calls went well with it, and something else is likelier: that is no evidence.
  if (sure < LIKELIER && equal.every(({ edit }) => workedAfter(edit, episode, failure))) return [];
  return equal.slice(0, CAUSES_MAX).flatMap(({ edit }) => {
    const subject = subjectOf(edit, around);
    if (subject === undefined) return [];
    const reasons = [reasonOf(edit, around), ...(well === undefined ? [] : [well])];
    const layer = edit.kind === 'text' ? ('skill' as const) : ('settings' as const);
    return [{ subject, layer, confidence: Math.min(SURE_MAX, sure), reasons, against: [] }];
  });
}

function sameCommit({ edit }: Reached, found: readonly Reached[]): number {
  return found.filter((one) => one.edit.commit === edit.commit).length;
}

/** A change shows at once in half of the cases, and otherwise when its agents are next started. */
const AT_ONCE_MS = 15 * MINUTE_MS;
const RESTART_MS = 6 * HOUR_MS;
const STEPS = 20;

/**
 * How much likelier it is to begin then after the commit than at any time of a day, over all moments at which it may have begun. What
 * begins later than at once worked with the change for a while, which speaks against it.
 */
function whenNats(edit: TargetEdit, episode: Episode, failure: Failure): number {
  const { fromLowMs, fromHighMs } = episode;
  const atOnce = workedAfter(edit, episode, failure) ? 0 : 1 / AT_ONCE_MS;
  let sum = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const lagMs = fromLowMs + ((step + 0.5) / STEPS) * (fromHighMs - fromLowMs) - edit.atMs;
    if (lagMs < 0) continue;
    sum += (lagMs <= AT_ONCE_MS ? atOnce : 0) + Math.exp(-lagMs / RESTART_MS) / RESTART_MS;
  }
  return Math.max(-CLIP, Math.min(CLIP, Math.log((DAY_MS * sum) / (2 * STEPS))));
}

/** So many failures were to be expected, and hardly any came. */
const EXPECTED = 3;
const CAME = 0.3;

/** Whether calls went well between the commit and the beginning, too many for a change that shows at once. */
function workedAfter({ atMs }: TargetEdit, { fromMs }: Episode, { history }: Failure): boolean {
  const sumOf = (bins: Failure['history'], of: 'bad' | 'all') =>
    bins.reduce((sum, bin) => sum + bin[of], 0);
  const since = history.filter((bin) => bin.atMs >= fromMs);
  const between = history.filter((bin) => bin.atMs >= atMs && bin.atMs < fromMs);
  const share = sumOf(since, 'bad') / Math.max(1, sumOf(since, 'all'));
  const expected = share * sumOf(between, 'all');
  return expected >= EXPECTED && sumOf(between, 'bad') <= CAME * expected;
}

/** A line that names neither a value nor the tool does many things. */
const ANY_LINE = -0.7;

const isAnyLine = (edit: TargetEdit) => edit.kind === 'lines' && edit.settings.length === 0;

function ownerOf(edit: TargetEdit, failure: Failure, evidence: Evidence): Ownership {
  const { settings } = evidence;
  if (edit.kind === 'value') {
    const setting = settingAt(edit, settings);
    return setting === undefined ? 'none' : ownerOfValue(setting, failure, evidence);
  }
  return edit.kind === 'lines'
    ? linesOwner(edit, failure, evidence)
    : fileOwner(edit, failure, settings);
}

/** What stands in the file of another agent is not why this one fails, which has its own. */
function ownerOfValue(setting: Setting, failure: Failure, evidence: Evidence): Ownership {
  const owner = settingOwner(setting, failure, evidence);
  return owner === 'tool' && isSaidByOwn(setting, evidence.settings, failure) ? 'none' : owner;
}

/** By the values in them, by the names that they say, and by their file. Lines that nobody reads concern nobody. */
function linesOwner(
  edit: TargetEdit & { kind: 'lines' },
  failure: Failure,
  evidence: Evidence,
): Ownership {
  const { words, settings } = evidence;
  if (words?.has(edit.file) !== true) return 'none';
  const owners = edit.settings.map((one) => ownerOfValue(one, failure, evidence));
  if (owners.length > 0) return OWNER_RANK.findLast((owner) => owners.includes(owner)) ?? 'none';
  const names = toolNames(failure.tool);
  const isSaid = [...edit.words].some((word) => isToolName(word, names));
  const ofFile = fileOwner(edit, failure, settings);
  if (isSaid) return ofFile === 'agent' ? 'both' : 'tool';
  return ofFile === 'anyone' && isMentionedBy(edit.file, failure, evidence) ? 'tool' : ofFile;
}

/** A file belongs to an agent that is named in its path, or whose settings name it. */
function fileOwner(
  { file }: TargetEdit,
  { agent, tool }: Failure,
  settings: Evidence['settings'],
): Ownership {
  const parts = file.split('/').map((part) => part.replace(/\.[A-Za-z0-9]+$/, ''));
  if (agent !== '' && parts.some((part) => sameName(part, agent))) return 'agent';
  if (tool !== '' && parts.some((part) => sameName(part, tool))) return 'tool';
  const naming = settings.filter(({ value }) => typeof value === 'string' && isPathOf(value, file));
  if (naming.length === 0) return 'anyone';
  const owners = naming.map((one) => ownershipOf(one, agent, tool));
  return owners.some((owner) => owner === 'agent' || owner === 'both') ? 'agent' : 'none';
}

/** Whether another agent's name is that of the file, or of a folder that it is in: what it keeps to is no reason why this one fails. */
function isOthersFile({ file }: TargetEdit, { agent }: Failure, { all }: Evidence): boolean {
  const parts = file.split('/').map((part) => part.replace(/\.[A-Za-z0-9]+$/, ''));
  return all.some(
    (other) =>
      other.agent !== '' &&
      other.agent !== agent &&
      parts.some((part) => sameName(part, other.agent)),
  );
}

/** A text that is none of the agents' files, and that none of them mentions, such as a repository's README. */
function isUnread({ kind, file }: TargetEdit, { texts, words = new Map() }: Evidence): boolean {
  return kind === 'text' && texts?.includes(file) === false && !isMentioned(file, words);
}

function isPathOf(value: string, file: string): boolean {
  const plain = value.replace(/^\.{0,2}\/+/, '');
  return plain.length > 2 && (file === plain || file.endsWith(`/${plain}`));
}

/** Whether the target still has the value that the commit put there; of lines only who puts them back knows it. */
function isInPlace(edit: TargetEdit, { settings }: Evidence): boolean {
  return edit.kind !== 'value' || settingAt(edit, settings)?.value === edit.after;
}

/** So many other agents that fail alike at other tools since the same time: what only this agent reads does not reach them. */
const AGENTS_ELSEWHERE = 2;

/**
 * Others that began to fail at the same time, and alike: nothing of this agent's is to blame. At the same tool one is enough; at others,
 * of which a provider may serve some, there are two, with the very same code.
 */
function isOthersToo(failure: Failure, episode: Episode, { all, failureShare }: Evidence): boolean {
  const together = all.filter(
    (other) =>
      other.tool !== '' &&
      other.agent !== failure.agent &&
      (other.tool === failure.tool || isAlike(other, failure)) &&
      beganWith(episode, courseOf(other.history, failureShare).episode),
  );
  const elsewhere = new Set(together.map(({ agent }) => agent));
  return together.some(({ tool }) => tool === failure.tool) || elsewhere.size >= AGENTS_ELSEWHERE;
}

function isAlike(one: Failure, other: Failure): boolean {
  return other.tool !== '' && one.errorCode !== '' && one.errorCode === other.errorCode;
}

/** Whether or not it is over: with few calls this one may only not be known to be. */
function beganWith(episode: Episode, theirs: Episode | null): boolean {
  return (
    theirs !== null &&
    theirs.fromLowMs - 15 * MINUTE_MS <= episode.fromHighMs &&
    theirs.fromHighMs + 15 * MINUTE_MS >= episode.fromLowMs
  );
}

/** The other agents' calls of the same tool since then. */
function othersWell({
  failure: { history, agent, ...rest },
  episode: { fromMs },
  evidence,
}: Around): Reason | undefined {
  // Whoever may write more is not cut: that they are well says nothing of what this one is told.
  if (sizeStepOf({ agent, ...rest }, evidence) !== undefined) return undefined;
  let [calls, failed] = [0, 0];
  for (const bin of history) {
    if (bin.atMs < fromMs) continue;
    calls += bin.othersCalls;
    failed += bin.othersFailed;
  }
  if (calls < OTHERS_CALLS_MIN || failed > 0.05 * calls) return undefined;
  const text = `Since then ${percent(failed / calls)} of ${calls} calls of others to the same tool failed: only ${quotedName(agent)} is met.`;
  return { text, events: [] };
}

/** A right or a credential is one caller's: that others keep theirs speaks for no commit. Where messages say that it is one. */
function isRefused({ failure, evidence }: Around): boolean {
  return refusedAccess.explain(failure, evidence).some(({ confidence }) => confidence > 0.5);
}

/** Of what fails in a task or is corrected, so much must be failed calls before a tool may be why. */
const BY_CALLS = 0.5;

/** Trouble outside shows in calls: tasks that fail while the agent's calls succeed are no provider's. */
function callsWell({ failure, evidence }: Around): Reason | undefined {
  const { event, agent, failures } = failure;
  if (event !== 'task_failure' && event !== 'user_correction') return undefined;
  const failed = evidence.all
    .filter((one) => one.agent === agent && (one.event ?? 'tool_call') === 'tool_call')
    .reduce((sum, one) => sum + one.failures, 0);
  if (failed >= BY_CALLS * failures) return undefined;
  const text = `The calls of ${quotedName(agent)} succeed meanwhile: no tool of its is to blame.`;
  return { text, events: [] };
}

function subjectOf(edit: TargetEdit, { failure, evidence }: Around): Cause['subject'] | undefined {
  const before = { commit: edit.commit, parent: edit.parent };
  if (edit.kind === 'text') return { ...textSubject(edit, failure, evidence), before };
  if (edit.kind === 'lines')
    return {
      ...textSubject(edit, failure, evidence),
      before: {
        ...{ ...before, line: edit.line },
        ...(edit.lines === undefined ? {} : { lines: edit.lines }),
      },
    };
  const setting = settingAt(edit, evidence.settings);
  if (setting === undefined) return undefined;
  return {
    ...settingSubject(setting, failure, evidence),
    before: { ...before, value: edit.before },
  };
}

function reasonOf(edit: TargetEdit, { failure, episode }: Around): Reason {
  const began = `It began at ${isoTime(episode.fromMs)}`;
  const commit = `the commit ${edit.commit.slice(0, 12)} of ${isoTime(edit.atMs)}`;
  const what =
    edit.kind === 'text'
      ? `changed ${shown(edit.file, 120)}, which ${quotedName(failure.agent)} is given`
      : edit.kind === 'lines'
        ? `changed ${shown(edit.file, 120)} at line ${edit.line}`
        : `changed ${shown(edit.path.join('.'), 120)} (${shown(edit.file, 120)}) from ${valueText(edit.before)} to ${valueText(edit.after)}`;
  return {
    text: `${began}, after ${commit} ${what}.`,
    events: failure.examples.map(({ id }) => id),
  };
}

const valueText = (value: unknown) => shown(JSON.stringify(value), 60);
