export { checkClaims, checkText } from './check-claims.ts';
export { planCheck, refusedInARow } from './check-store.ts';
export { CodeIndex } from './code-index.ts';
export { findClaims } from './find-claims.ts';
export { claimsIn } from './result-file.ts';
export {
  type CheckedClaim,
  CLAIM_LEVELS,
  type Claim,
  type ClaimLevel,
  type ClaimTree,
  type ClaimVerdict,
} from './types.ts';
