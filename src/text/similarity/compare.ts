/**
 * How alike two failures are. Each component (message, class, codes, tool, stack, attributes) gives a
 * likeness and a weight; what tells failures apart (another status code, another class, `connect`
 * where the other has `read`, a `not` on one side) multiplies the whole down. The result is stretched
 * so that 0.8 is where pairs of the same and of different failures part (README, calibration).
 *
 * Promises: between 0 and 1, the same in both directions, 1 for a failure and itself.
 */
import {
  attributeLikeness,
  classLikeness,
  codeLikeness,
  stackLikeness,
  toolLikeness,
} from './component-likeness.ts';
import type { Evidence } from './evidence.ts';
import { messageLikeness } from './message-likeness.ts';
import { type Reading, readFailure } from './read.ts';
import { type Comparison, type Component, type Failure, type Reason, SAME_FROM } from './types.ts';

const WEIGHT: Readonly<Record<Component, number>> = {
  message: 1,
  errorClass: 0.3,
  stack: 0.25,
  codes: 0.2,
  tool: 0.12,
  attributes: 0.12,
};

/** The raw likeness at which same and different part; mapped to `SAME_FROM`. */
const RAW_SAME_FROM = 0.72;

export function similarity(a: Failure | string, b: Failure | string): Comparison {
  return compareReadings(readFailure(a), readFailure(b));
}

export function compareReadings(a: Reading, b: Reading): Comparison {
  // Ties in an alignment are broken by order, so both directions take the same one.
  const flipped = orderKey(a) > orderKey(b);
  const evidence = flipped ? gather(b, a) : gather(a, b);
  const reasons = evidence
    .map((piece) => reasonOf(piece, flipped))
    .sort((one, other) => other.weight - one.weight);
  const score = scoreOf(reasons);
  return { score, same: score >= SAME_FROM, reasons };
}

function orderKey(reading: Reading): string {
  return reading.tokens.map((token) => token.raw).join(' ');
}

function gather(a: Reading, b: Reading): Evidence[] {
  return [
    messageLikeness(a, b),
    ...classLikeness(a, b),
    ...codeLikeness(a, b),
    ...toolLikeness(a, b),
    ...stackLikeness(a, b),
    ...attributeLikeness(a, b),
  ];
}

function reasonOf(
  { component, likeness, remains, note, differs }: Evidence,
  flipped: boolean,
): Reason {
  const differences = differs.map(([one, other]) =>
    flipped ? `"${other}" / "${one}"` : `"${one}" / "${other}"`,
  );
  return {
    component,
    similarity: likeness,
    weight: WEIGHT[component],
    remains,
    note: differences.length > 0 ? differences.join(', ') : note,
  };
}

/** The weighted mean of the likenesses times what every difference leaves of it. */
function scoreOf(reasons: readonly Reason[]): number {
  let weights = 0;
  let sum = 0;
  let remains = 1;
  for (const reason of reasons) {
    weights += reason.weight;
    sum += reason.weight * reason.similarity;
    remains *= reason.remains;
  }
  return calibrate((sum / weights) * remains);
}

/** Straight lines through (0, 0), (`RAW_SAME_FROM`, 0.8) and (1, 1). */
function calibrate(raw: number): number {
  const score =
    raw < RAW_SAME_FROM
      ? (raw / RAW_SAME_FROM) * SAME_FROM
      : SAME_FROM + ((raw - RAW_SAME_FROM) / (1 - RAW_SAME_FROM)) * (1 - SAME_FROM);
  return Math.max(0, Math.min(1, score));
}
