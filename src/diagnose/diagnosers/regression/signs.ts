/**
 * What a change of the target can do, and what it cannot: evidence that speaks against the commit however close it came. Pure.
 */
import { wilsonInterval } from '../../../stats/index.ts';
import { courseOf, type Episode, NEW_TIMES } from '../../course.ts';
import { cutOffAt, type Pile, pileOf, shareWithin } from '../../latency-shape.ts';
import { type Ownership, ownershipOf } from '../../ownership.ts';
import { sizeStepOf } from '../../size-step.ts';
import type { Evidence, Failure, Setting, TargetEdit } from '../../types.ts';
import { courseOfFailure } from '../../why-now.ts';
import { keySays } from '../setting-limit/key-words.ts';
import { isAt, millisecondsOf, type NumberSetting } from '../setting-limit/time-limit.ts';

/**
 * Whether calls may be cut off at a limit because of it: they have become slower, or the limit shorter. What an agent is told stops
 * no clock, nor does a number of nobody in particular that is not that limit.
 */
export function canCutOff(
  edit: TargetEdit,
  owner: Ownership,
  { limit, settings }: { readonly limit: Pile; readonly settings: Evidence['settings'] },
): boolean {
  if (edit.kind !== 'value') return edit.kind !== 'text';
  const setting = settingAt(edit, settings);
  if (owner !== 'anyone' || setting === undefined || !isNumber(setting)) return true;
  return millisecondsOf(setting).some((ms) => isAt(limit, ms));
}

/** Calls that take no longer than by so much are not held longer. */
const HARDLY = 1.1;

/**
 * Whether a limit on time that was moved can do this: a shorter one cuts calls off where it is, a longer one holds those for longer
 * that the old one would have cut off. Neither makes calls be refused at once. What is no limit on time, such as a pause between tries, may do anything.
 */
export function canTimeDo(
  edit: TargetEdit,
  failure: Failure,
  { settings, failureShare, all }: Evidence,
): boolean {
  const { failedLatency, succeededLatency, history } = failure;
  if (edit.kind !== 'value' || failedLatency === null) return true;
  const { before, after } = edit;
  const setting = settingAt(edit, settings);
  if (typeof before !== 'number' || typeof after !== 'number') return true;
  if (setting === undefined || !isNumber(setting) || !isTime(setting, failure)) return true;
  if (after > before)
    return (
      (courseOf(history, failureShare).slower ?? 1) >= HARDLY &&
      goesBeyond({ ...setting, value: before }, failure, all)
    );
  const limit = cutOffAt(failedLatency, succeededLatency) ?? pileOf(failedLatency);
  return limit === null ? false : millisecondsOf(setting).some((ms) => isAt(limit, ms));
}

/**
 * Whether any call takes longer than a limit of this tool once allowed: where none does, it makes no difference that it may. A limit that is
 * not the tool's alone may hold calls of others.
 */
function goesBeyond(limit: NumberSetting, { agent, tool }: Failure, all: Evidence['all']): boolean {
  if (!['tool', 'both'].includes(ownershipOf(limit, agent, tool))) return true;
  const views = all
    .filter((one) => one.tool === tool)
    .flatMap(({ failedLatency, succeededLatency }) => [failedLatency, succeededLatency]);
  return millisecondsOf(limit).some((ms) =>
    views.some((view) => view !== null && shareWithin(view, ms, Number.POSITIVE_INFINITY) > 0),
  );
}

/** Fewer say no mean; right after a commit there are not many. */
const TIMED_MIN = 10;

/**
 * Whether calls end at a limit that is shorter than before: those that succeeded until it began took longer than that on average, and
 * those since then do not. A tool that became slower does not show so, nor does one that refuses at once.
 */
export function hasMoved({ history, failedLatency }: Failure, fromMs: number): boolean {
  const limit = pileOf(failedLatency);
  const meanOf = (bins: Failure['history']) => {
    const sum = (of: 'timed' | 'timedMs') => bins.reduce((n, bin) => n + bin[of], 0);
    return sum('timed') < TIMED_MIN ? undefined : sum('timedMs') / sum('timed');
  };
  const before = meanOf(history.filter(({ atMs }) => atMs < fromMs));
  const since = meanOf(history.filter(({ atMs }) => atMs >= fromMs));
  if (limit === null || before === undefined || since === undefined) return false;
  return before > limit.ms && since < limit.ms;
}

/** Whether it changed a limit on time, or lines that say one: of several changes, that moves such a limit and a name does not. */
export function isOfTime(edit: TargetEdit, failure: Failure, { settings }: Evidence): boolean {
  if (edit.kind === 'text') return false;
  const found = edit.kind === 'lines' ? edit.settings : [settingAt(edit, settings)];
  return found.some((one) => one !== undefined && isNumber(one) && isTime(one, failure));
}

function isTime(setting: NumberSetting, failure: Failure): boolean {
  const words = keySays(setting, failure, 'timeout');
  return words === 'fits' || (words === 'nothing' && setting.unit !== null);
}

const isNumber = (setting: Setting): setting is NumberSetting => typeof setting.value === 'number';

/** Fewer calls of others show nothing. */
const OTHERS_CALLS_MIN = 30;
/** Calls that succeed take so many times as long since then. */
const LONGER = 2;

/**
 * Whether this agent's calls hold the tool for longer since a value of its own grew, and those of others who are refused alike do not:
 * then they fail because of it. A tool that became slower is slower for all.
 */
export function isHeldLonger(edit: TargetEdit, failure: Failure, evidence: Evidence): boolean {
  const { all, failureShare } = evidence;
  if (edit.kind === 'text' || (edit.kind === 'value' && edit.after < edit.before)) return false;
  const slowerOf = (one: Failure) => courseOf(one.history, failureShare).slower;
  if ((slowerOf(failure) ?? 1) < LONGER) return false;
  const alike = all.filter(
    ({ tool, agent, errorCode, kind }) =>
      tool === failure.tool &&
      agent !== failure.agent &&
      errorCode === failure.errorCode &&
      kind === failure.kind,
  );
  return alike.length > 0 && alike.every((one) => (slowerOf(one) ?? LONGER) < Math.sqrt(LONGER));
}

/**
 * Whether calls are cut off at a limit since the tool became slower for others as well, who are not reached by what this agent is told:
 * then no change of the agent's own is why, but one of the limit itself, or where more is asked of the tool than ever.
 */
export function isSlowForOthers(
  failure: Failure,
  { fromLowMs, fromMs }: Episode,
  { all, failureShare }: Evidence,
): boolean {
  const { history, failedLatency } = failure;
  if (pileOf(failedLatency) === null) return false;
  if (courseOfFailure(failure, failureShare, all).load === 'asked') return false;
  const meanOf = (isIt: (atMs: number) => boolean) => {
    let [timed, ms] = [0, 0];
    for (const { atMs, othersTimed = 0, othersTimedMs = 0 } of history) {
      if (!isIt(atMs)) continue;
      timed += othersTimed;
      ms += othersTimedMs;
    }
    return timed < TIMED_MIN ? undefined : ms / timed;
  };
  const [before, since] = [meanOf((at) => at < fromLowMs), meanOf((at) => at >= fromMs)];
  return before !== undefined && since !== undefined && since >= Math.sqrt(LONGER) * before;
}

const AS_LONG = 0.3;

/**
 * Whether others at the tool, who may write or send more, go beyond the size at which this agent is cut off, about as often as it is: then
 * what is asked has that size, whatever this one is told.
 */
export function othersAreAsLong(failure: Failure, evidence: Evidence): boolean {
  const step = sizeStepOf(failure, evidence);
  if (step === undefined) return false;
  const field = step.of === 'output' ? 'outputTokens' : 'inputTokens';
  const theirs = (evidence.calls?.get(failure.tool) ?? []).flatMap((call) =>
    call.agent === failure.agent || call.failedWith !== null ? [] : (call[field] ?? []),
  );
  const beyond = theirs.filter((size) => size > step.toTokens).length;
  return (
    theirs.length >= OTHERS_CALLS_MIN &&
    beyond >= AS_LONG * (failure.failures / failure.calls) * theirs.length
  );
}

/** So many failures tell a rate, fewer that it was there; no more time than a change takes to show is looked back. */
const FAILED_FEW = 12;
const FAILED_BEFORE = 5;
const LOOK_BACK_MS = 6 * 3_600_000;

/**
 * Whether it was there before the change, and about as much of it came right after its beginning as right before
 * the change: a trouble that grows by itself is divided somewhere, and a commit that happens to lie there did nothing.
 */
export function wasThere(
  { atMs }: TargetEdit,
  { fromMs }: Episode,
  { history }: Failure,
  failureShare: number,
): boolean {
  const lookedBack = history.filter((bin) => bin.atMs < atMs && bin.atMs >= atMs - LOOK_BACK_MS);
  const before = fewOf(lookedBack.toReversed(), FAILED_BEFORE);
  const after = fewOf(
    history.filter((bin) => bin.atMs >= Math.max(atMs, fromMs)),
    FAILED_FEW,
  );
  if (before === undefined || after === undefined) return false;
  const { during, otherwise } = courseOf(history, failureShare);
  const { low } = wilsonInterval({ failures: before.bad, events: before.all });
  // Most of it is new where it grew so much with the change; less is enough where it grew little in all.
  const jump = Math.min(NEW_TIMES, Math.sqrt(during / otherwise));
  return low > failureShare && after.bad / after.all < (jump * before.bad) / before.all;
}

/** The first bins that have so many failures. */
function fewOf(
  bins: Failure['history'],
  failed: number,
): { readonly bad: number; readonly all: number } | undefined {
  let [bad, all] = [0, 0];
  for (const bin of bins) {
    bad += bin.bad;
    all += bin.all;
    if (bad >= failed) return { bad, all };
  }
  return undefined;
}

export const settingAt = (edit: TargetEdit & { kind: 'value' }, settings: Evidence['settings']) =>
  settings.find(
    ({ file, path }) =>
      file === edit.file &&
      path.length === edit.path.length &&
      path.every((key, at) => key === edit.path[at]),
  );
