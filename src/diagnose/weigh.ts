/**
 * How likely each cause is, from its clues. Causes compete: each has odds of being right, to which every clue adds its
 * weight in nats, and one that was not thought of has the odds 1. No clue moves the odds by more than a factor of ten, so
 * that no kind of evidence decides alone, and "unknown" keeps 5 %. Pure.
 *
 * Rejected: the highest number that any diagnoser states, less half of the rival's. Each diagnoser chose its numbers by
 * itself, and in random worlds causes that were stated more surely were wrong more often (AUROC .23, ADR 076).
 */
import { type Line, onLine } from '../stats/index.ts';
import { CLUE_WEIGHTS } from './clue-weights.ts';
import { CLUE_FAMILIES, type Clues } from './clues.ts';

export interface ClueWeights {
  /** Of a cause without clues. */
  readonly bias: number;
  /** By family and clue. */
  readonly nats: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** From what the clues say to what is stated. */
  readonly calibration: Line;
}

/** A cause among those that compete, with whom it is counted as one. */
export interface Competitor {
  readonly clues: Clues;
  readonly among: Among;
}

export interface Among {
  /** The same for those who blame one value and want the same of it. */
  readonly cure: number;
  /** The same for copies of a value, and for the places that one mechanism may have. */
  readonly copy: string;
  /** How likely this place is by its diagnoser, where those of one mechanism exclude each other. */
  readonly share?: number;
}

const UNKNOWN_MIN = 0.05;

/** For the cause if above 0; 0 for a clue that was never met. */
export function clueNats(family: string, clue: string, { nats }: ClueWeights): number {
  return nats[family]?.[clue] ?? 0;
}

/** One for each of the causes; what is left to 1 is that none of them is it. */
export function likelihoods(
  causes: readonly Clues[],
  weights: ClueWeights = CLUE_WEIGHTS,
): readonly number[] {
  const odds = causes.map((clues) => Math.exp(natsOf(clues, weights)));
  const sum = odds.reduce((total, one) => total + one, 1);
  return withinRoom(odds.map((one) => onLine(one / sum, weights.calibration)));
}

/**
 * Who blames the same value, and wants the same of it, is no rival: the likelier one stands for both, the other gets nothing. Nor are
 * copies of a value rivals: they are one cause, as likely as it would be without copies, and share that. The same holds of the
 * places that one mechanism may have, which their diagnoser weighs against each other.
 */
export function sharesOf(
  causes: readonly Competitor[],
  weights: ClueWeights = CLUE_WEIGHTS,
): readonly number[] {
  const alone = causes.map(({ clues }) => natsOf(clues, weights));
  const cures = Map.groupBy(causes.keys(), (at) => causes[at]!.among.cure).values();
  const likeliest = (group: readonly number[]) =>
    group.reduce((a, b) => (alone[b]! > alone[a]! ? b : a));
  const bests = [...cures].map(likeliest);
  const copies = [...Map.groupBy(bests, (at) => causes[at]!.among.copy).values()];
  const shares = likelihoods(
    copies.map((group) => causes[likeliest(group)]!.clues),
    weights,
  );
  const result = causes.map(() => 0);
  for (const [index, group] of copies.entries()) {
    const parts = group.map((at) => causes[at]!.among.share ?? 1);
    const whole = sumOf(parts);
    for (const [part, at] of group.entries()) result[at] = (shares[index]! * parts[part]!) / whole;
  }
  return result;
}

/** So that unknown keeps what is its own. */
export function withinRoom(shares: readonly number[]): readonly number[] {
  const stated = shares.reduce((total, one) => total + one, 0);
  const room = 1 - UNKNOWN_MIN;
  return stated <= room ? shares : shares.map((one) => (one / stated) * room);
}

const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);

function natsOf(clues: Clues, weights: ClueWeights): number {
  return CLUE_FAMILIES.reduce((sum, family) => {
    const clue = clues[family];
    return clue === undefined ? sum : sum + clueNats(family, clue, weights);
  }, weights.bias);
}
