/**
 * Platt scaling: from a stated share to how often it came true, as a line between their logits, drawn to the identity.
 * The pull is that of a normal prior: slope 1 ± ½, intercept 0 ± 1 unless somebody says otherwise, so that a handful of
 * outcomes moves little and a hundred decide. Rejected: isotonic regression, which makes steps of equal shares and forgets their order (README).
 */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

export interface Outcome {
  /** 0 to 1, as it was stated. */
  readonly stated: number;
  readonly isTrue: boolean;
}

export const IDENTITY: Line = { slope: 1, intercept: 0 };

/** One through the square of how far the slope and the intercept may be from the identity. */
const PULL: Line = { slope: 4, intercept: 1 };
/** It converges within a few; a step is halved while it does not lower the loss. */
const ROUNDS_MAX = 50;
const SMALL = 1e-9;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

function logit(share: number): number {
  const inside = Math.min(1 - SMALL, Math.max(SMALL, share));
  return Math.log(inside / (1 - inside));
}

export function onLine(share: number, { slope, intercept }: Line): number {
  return sigmoid(slope * logit(share) + intercept);
}

/** The identity without outcomes. The slope is never below 0: what was stated more surely stays so. */
export function fitLine(outcomes: readonly Outcome[], pull: Line = PULL): Line {
  const points = outcomes.map(({ stated, isTrue }) => ({ x: logit(stated), y: Number(isTrue) }));
  let line = IDENTITY;
  let loss = lossOf(points, line, pull);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const step = newtonStep(points, line, pull);
    let scale = 1;
    let next = moved(line, step, scale);
    while (lossOf(points, next, pull) > loss && scale > SMALL) {
      scale /= 2;
      next = moved(line, step, scale);
    }
    const lower = lossOf(points, next, pull);
    if (loss - lower < SMALL) break;
    [line, loss] = [next, lower];
  }
  return line;
}

type Points = readonly { readonly x: number; readonly y: number }[];

function moved({ slope, intercept }: Line, by: Line, scale: number): Line {
  return {
    slope: Math.max(0, slope - scale * by.slope),
    intercept: intercept - scale * by.intercept,
  };
}

function lossOf(points: Points, { slope, intercept }: Line, by: Line): number {
  const pull = by.slope * (slope - 1) ** 2 + by.intercept * intercept ** 2;
  return points.reduce((sum, { x, y }) => {
    const z = slope * x + intercept;
    // log(1 + e^z) − y·z, without overflow.
    return sum + Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - y * z;
  }, pull / 2);
}

function newtonStep(points: Points, { slope, intercept }: Line, pull: Line): Line {
  let [gradSlope, gradIntercept] = [pull.slope * (slope - 1), pull.intercept * intercept];
  let [hSlope, hBoth, hIntercept] = [pull.slope, 0, pull.intercept];
  for (const { x, y } of points) {
    const p = sigmoid(slope * x + intercept);
    const weight = p * (1 - p);
    gradSlope += (p - y) * x;
    gradIntercept += p - y;
    hSlope += weight * x * x;
    hBoth += weight * x;
    hIntercept += weight;
  }
  const determinant = hSlope * hIntercept - hBoth * hBoth;
  return {
    slope: (hIntercept * gradSlope - hBoth * gradIntercept) / determinant,
    intercept: (hSlope * gradIntercept - hBoth * gradSlope) / determinant,
  };
}
