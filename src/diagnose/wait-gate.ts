/**
 * Whether to wait. A failure that began while nothing of the target's changed is somebody else's trouble until it has
 * lasted longer than such troubles do. Pure.
 *
 * Troubles that end by themselves last longer than `a` with probability S(a) = (1 + a/θ)^−k; each one that was seen
 * here adds 1 to k and its length to θ. Before any was seen, public records of outages stand in: k = 2.5, θ = 4.2 h
 * (mean 2.8 h). A trouble stays with the odds 1 : 11 before its age is known. Acting is worth it from odds of 4 : 1: a wrong change costs
 * about four times what waiting does.
 */
const HOUR_MS = 3_600_000;
const PRIOR_SHAPE = 2.5;
const PRIOR_SCALE_MS = 4.2 * HOUR_MS;
const STAYS = 1 / 11;
const ACT_FROM = 4;

/** The age from which it is likelier by far that it stays, in milliseconds. */
export function waitMs(pastMs: readonly number[]): number {
  const shape = PRIOR_SHAPE + pastMs.length;
  const scaleMs = PRIOR_SCALE_MS + pastMs.reduce((sum, one) => sum + one, 0);
  return scaleMs * ((ACT_FROM / STAYS) ** (1 / shape) - 1);
}
