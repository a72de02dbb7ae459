/**
 * Blames too few tries: failures that pass, that are there all the time and meet each call by itself. The next try then
 * has the chance of the first, so that one try more loses only the square of the share. That it passes is measured where calls
 * are tried again, also by others at the tool; few further tries are enough to show that what failed fails again. Where nobody tries
 * again, words of the network say it; without any, a first further try is the way to find out, unless an answer says that it is the
 * request, or the calls of some tasks fail far more than others: then what is asked decides it. Who tries again already will have the measurement soon, and needs nothing more
 * where telemetry numbers tries and the further ones save nearly all.
 */
import type { LatencyView } from '../../../facts/index.ts';
import { wilsonInterval } from '../../../stats/index.ts';
import { quantileMs, shareWithin } from '../../latency-shape.ts';
import { messageShare } from '../../message-share.ts';
import { sizeStepOf } from '../../size-step.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import { tailOf } from '../../tail.ts';
import { isBackground, LASTING_WORDS, TRANSIENT_WORDS } from '../../transient.ts';
import { againOf, areHealed } from '../../tries-again.ts';
import { triesSettings } from '../../tries-setting.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
  type Reason,
} from '../../types.ts';
import { percent } from '../../wording.ts';
import { loadLimit } from '../load-limit/load-limit.ts';
import { messageWords } from '../message-words/message-words.ts';
import { refusedAccess } from '../refused-access/refused-access.ts';

const CONFIDENCE = 0.85; /** Nobody knows whether the next try fares better. */
const UNKNOWN = 0.6;
/** A further try that fails at most so many times as often as any has nearly the chance of the first. */
const ALIKE = 2;
/** One that fails so often meets the same again. */
const REPEATS = 0.5;
/** With so few no interval ends above a half. */
const TRIED_FEW = 4;
const CALLS_MIN = 30;
/** Who say that the next try meets the same: a call that was made wrongly, a right that is missing. */
const LASTING: readonly Diagnoser[] = [messageWords, refusedAccess];
/** Between tasks the share that fails differs by more. */
const BY_TASK = 3;

export const lostAttempts: Diagnoser = {
  name: 'lost-attempts',
  explain(failure, evidence) {
    const { event = 'tool_call', tool } = failure;
    if (event !== 'tool_call' || tool === '' || !isBackground(failure, evidence)) return [];
    if (areHealed(failure, evidence)) return [];
    const share = failure.failures / failure.calls;
    const passes = passing(failure, evidence);
    if (passes === undefined) return [];
    // What is lost after all of them is what counts.
    const isLost = (retries: number) =>
      share ** (retries + 1) > evidence.failureShare && (passes.isShown || retries === 0);
    return triesSettings(evidence, failure, isLost)
      .slice(0, CAUSES_MAX)
      .map(({ setting, sure }): Cause => {
        const tries = `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}`;
        const fails = `${tries}. ${percent(share)} of the tries fail, all the time`;
        const twice = `about ${percent(share * share)} of what is asked would fail twice`;
        const text = passes.isMeasured
          ? `${fails} and each by itself; with one more try ${twice}.`
          : `${fails}. If the next one has the chance of the first, ${twice} with one more try.`;
        return {
          subject: { ...settingSubject(setting, failure, evidence), limits: 'tries' },
          layer: 'settings',
          confidence: passes.sure * sure,
          reasons: [{ text, events: failure.examples.map(({ id }) => id) }, ...passes.reasons],
          against: passes.against,
        };
      });
  },
};

interface Passing {
  readonly sure: number;
  /** By what was counted or said; else nobody knows it. */
  readonly isShown: boolean;
  /** By what was counted: words only make it likely. */
  readonly isMeasured: boolean;
  readonly reasons: readonly Reason[];
  readonly against: readonly Reason[];
}

/** Whether the next try may succeed; undefined where it does not, or something else decides it. */
function passing(failure: Failure, evidence: Evidence): Passing | undefined {
  const words = messageShare(failure, TRANSIENT_WORDS, 'mention the network or a failing server');
  const said = words === undefined ? [] : [words.reason];
  // A gateway that gives up says that it failed: what is nearly done by then takes as long at the next try.
  if (tailOf(failure, evidence) === 'reaches') return undefined;
  const isLasting = LASTING.some((one) => one.explain(failure, evidence).length > 0);
  // The next try is as long as the first.
  if (sizeStepOf(failure, evidence) !== undefined) return undefined;
  if (words === undefined && (isLasting || !isUnnamed(failure))) return undefined;
  const alike = evidence.all.filter(
    ({ tool, errorCode, kind }) =>
      tool === failure.tool && errorCode === failure.errorCode && kind === failure.kind,
  );
  if ([failure, ...alike].some(isKnownToRepeat)) return undefined;
  // Where the agent itself tries again, others are not asked.
  const measured = againAt(failure) ?? alike.map(againAt).find((one) => one !== undefined);
  if (measured !== undefined) {
    const { again, first, tried } = measured;
    if (again >= REPEATS) return undefined;
    const text = `${percent(again)} of ${tried} further tries after it fail as well, and ${percent(first)} of first ones.`;
    if (again <= ALIKE * first)
      return {
        sure: CONFIDENCE,
        isShown: true,
        isMeasured: true,
        reasons: [{ text, events: [] }, ...said],
        against: [],
      };
  }
  const byWords = { isShown: true, isMeasured: false, reasons: said, against: [] };
  if (words !== undefined) return { ...byWords, sure: CONFIDENCE * words.share };
  if (isByTask(failure) || messageShare(failure, LASTING_WORDS, '') !== undefined) return undefined;
  // Which calls fail is foretold by how many there are: they are not lost each by itself.
  if (loadLimit.explain(failure, evidence).length > 0) return undefined;
  const text = 'Nobody tried again, so that it is not known whether the next try fares better.';
  const isShown = false;
  return { ...byWords, isShown, sure: UNKNOWN, reasons: [], against: [{ text, events: [] }] };
}

/**
 * Whether no limit explains it. What ends later than any success is cut off, even if at several limits: it hangs, or is of another kind
 * that needs longer, and nobody knows which of both cures it. What is lost by itself is lost at any time.
 */
function isUnnamed({ kind, failedLatency, succeededLatency }: Failure): boolean {
  return kind === 'other' && !isBeyond(failedLatency, succeededLatency);
}

const BEYOND = 0.8;
const SUCCEEDED = 0.98;

/** Whether most failures end where hardly a success does. */
function isBeyond(failed: LatencyView | null, succeeded: LatencyView | null): boolean {
  if (failed === null || succeeded === null || succeeded.count === 0) return false;
  const usualMs = quantileMs(succeeded, SUCCEEDED);
  return shareWithin(failed, usualMs, Number.POSITIVE_INFINITY) >= BEYOND;
}

/** Whether what failed surely fails again more often than not: a few tries say it where all of them do. */
function isKnownToRepeat({ tries }: Failure): boolean {
  const few = againOf(tries, TRIED_FEW);
  if (few === undefined) return false;
  return wilsonInterval({ failures: few.failed, events: few.tried }).low >= REPEATS;
}

/** How often first tries fail, and those after a failure. */
function againAt({ tries, calls }: Failure) {
  const found = againOf(tries);
  if (found === undefined) return undefined;
  const { tried, failed, rows } = found;
  const first = rows / Math.max(rows, calls - tried);
  return { tried, again: failed / tried, first };
}

function isByTask({ tasks = [] }: Failure): boolean {
  const shares = tasks
    .filter(({ calls }) => calls >= CALLS_MIN)
    .map(({ failures, calls }) => failures / calls);
  return shares.length > 1 && Math.max(...shares) > BY_TASK * Math.min(...shares);
}
