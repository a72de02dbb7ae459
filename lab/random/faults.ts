/**
 * Faults that a change of the target cures. Each is planted into a world that was well, and says which change of its
 * values cures it, so that the truth can be measured: the same world with the fault, and with the cure.
 */
import { argumentRenamed, modelSwapped, ruleLost, toolMisnamed } from './change-faults.ts';
import {
  answersCut,
  farKind,
  lostUnit,
  sharedLimit,
  sizesGrow,
  slowerForGood,
  timeoutTooLow,
} from './limit-faults.ts';
import {
  heldTooLong,
  placesInFile,
  quotaInFile,
  rateTooHigh,
  retriesMissing,
  retryStorm,
  tooManyAtOnce,
} from './load-faults.ts';
import type { Plant } from './planting.ts';

/** Time limits are the commonest; they come more than once. */
export const FAULTS: readonly Plant[] = [
  ...[timeoutTooLow, timeoutTooLow, farKind, farKind, slowerForGood, sharedLimit, sharedLimit],
  ...[lostUnit, answersCut, sizesGrow],
  ...[retriesMissing, retriesMissing, retryStorm, rateTooHigh, tooManyAtOnce],
  ...[quotaInFile, placesInFile, heldTooLong],
  ...[modelSwapped, ruleLost, argumentRenamed, toolMisnamed],
];
