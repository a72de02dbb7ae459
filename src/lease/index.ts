export { claimChange, type RowClaim, releaseClaim, renewClaim } from './claims.ts';
export {
  type Acquired,
  type HandOver,
  heldBy,
  type Lease,
  type LeaseLook,
  type LeaseState,
  Leases,
  planHandOver,
  releaseWrite,
} from './leases.ts';
export { raisedFences } from './raise-fences.ts';
