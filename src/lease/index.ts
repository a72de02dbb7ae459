export { claimChange, type RowClaim, releaseClaim, renewClaim } from './claims.ts';
export {
  type Acquired,
  type HandOver,
  type Lease,
  type LeaseState,
  Leases,
  releaseWrite,
} from './leases.ts';
export { raisedFences } from './raise-fences.ts';
