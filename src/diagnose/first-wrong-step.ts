/**
 * Where a failed session went wrong: the likeliest first wrong step, who took it, and why. Pure, without a model.
 * Four signs are read from the structure of the session, the most telling first; the others can agree with it.
 */
import { specificsOf } from './specifics.ts';

export interface SessionStep {
  readonly who: string;
  readonly said: string;
  /** What it did, the same for the same work; absent where it only spoke. */
  readonly act?: string | undefined;
  /** What it used to do so: a failure is made good when its later use by the same one works. */
  readonly tool?: string | undefined;
  /** What it did failed. */
  readonly failed?: boolean | undefined;
  /** It says what came of the act before it. */
  readonly isResult?: boolean | undefined;
}

type WrongSign = 'repeats' | 'origin' | 'failure' | 'start';

export interface WrongStep {
  readonly step: number;
  readonly who: string;
  readonly sign: WrongSign;
  readonly reason: string;
  /** The share of the signs seen that point at this step, from 0 to 1. */
  readonly agreement: number;
}

/** Doing it twice may be a retry; the third time nothing was learnt. */
const REPEATS_MIN = 3;

const SIGNS: readonly (readonly [WrongSign, (session: Session) => number | undefined])[] = [
  ['repeats', endOfRepeats],
  ['origin', originOfAnswer],
  ['failure', firstFailure],
  ['start', firstWork],
];

const REASONS: Record<WrongSign, string> = {
  repeats: 'the same was done again and again until the course was changed',
  origin: 'what was answered in the end came first from here',
  failure: 'the first failure that was not made good',
  start: 'the first work in the session; no later step stands out',
};

/** Of a session that failed. Nothing where nobody did anything. */
export function firstWrongStep(steps: readonly SessionStep[], task = ''): WrongStep | undefined {
  const session = { steps, task };
  const found = SIGNS.flatMap(([sign, read]) => {
    const step = read(session);
    return step === undefined ? [] : [{ sign, step }];
  });
  const [best] = found;
  if (best === undefined) return undefined;
  return {
    ...best,
    who: steps[best.step]!.who,
    reason: REASONS[best.sign],
    agreement: found.filter(({ step }) => step === best.step).length / found.length,
  };
}

interface Session {
  readonly steps: readonly SessionStep[];
  readonly task: string;
}

/** The last of a run of equal acts by one, after which another took over, a new plan was made, or all ended. */
function endOfRepeats({ steps }: Session): number | undefined {
  const acts = steps.flatMap((step, at) => (step.act === undefined ? [] : [at]));
  const gaps = acts.slice(1).map((at, i) => at - acts[i]!);
  const usual = median(gaps);
  let run = 1;
  for (const [i, at] of acts.entries()) {
    const next = acts[i + 1];
    const goesOn =
      next !== undefined &&
      steps[next]!.who === steps[at]!.who &&
      steps[next]!.act === steps[at]!.act;
    if (goesOn && gaps[i]! <= usual) {
      run += 1;
      continue;
    }
    const isTurn = next === undefined || steps[next]!.who !== steps[at]!.who || gaps[i]! > usual;
    if (run >= REPEATS_MIN && isTurn) return at;
    run = 1;
  }
  return undefined;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/**
 * Who brought in what the session ended with. Where it ended with a result, the act behind that; where it ended with a
 * statement, the step that first said what the statement says and the task does not, or the act whose result said it.
 */
function originOfAnswer({ steps, task }: Session): number | undefined {
  const said = steps.map((step) => specificsOf(step.said));
  const known = specificsOf(task);
  const isNews = (one: string) => !known.has(one);
  const end = steps.findLastIndex(
    ({ act, isResult }, at) =>
      act !== undefined ||
      (isResult === true ? steps[at - 1]?.act !== undefined : [...said[at]!].some(isNews)),
  );
  const last = steps[end];
  if (last === undefined || last.act !== undefined) return undefined;
  if (last.isResult === true) return actBehind(steps, end);
  const votes = new Map<number, number>();
  for (const one of [...said[end]!].filter(isNews)) {
    const at = said.findIndex((earlier) => earlier.has(one));
    votes.set(at, (votes.get(at) ?? 0) + 1);
  }
  const [origin] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]!;
  if (origin === end) return undefined;
  return steps[origin]!.isResult === true ? actBehind(steps, origin) : origin;
}

/** The act that a result came of, unless it failed. */
function actBehind(steps: readonly SessionStep[], result: number): number | undefined {
  const at = steps.findLastIndex((step, i) => i < result && step.isResult !== true);
  const step = steps[at];
  return step?.act === undefined || step.failed === true ? undefined : at;
}

/** The first failed act after which the same work never succeeded. Looked at from the end, so each step is seen once. */
function firstFailure({ steps }: Session): number | undefined {
  const worked = new Set<string>();
  let first: number | undefined;
  for (let at = steps.length - 1; at >= 0; at--) {
    const { who, act, tool, failed } = steps[at]!;
    if (act === undefined) continue;
    const work = JSON.stringify([who, tool ?? act]);
    if (failed !== true) worked.add(work);
    else if (!worked.has(work)) first = at;
  }
  return first;
}

function firstWork({ steps }: Session): number | undefined {
  const found = steps.findIndex(({ act }) => act !== undefined);
  return found < 0 ? undefined : found;
}
