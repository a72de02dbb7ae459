export { type Acquired, type Lease, type LeaseState, Leases, releaseWrite } from './leases.ts';
