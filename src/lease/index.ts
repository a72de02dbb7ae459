export { type Acquired, type Lease, type LeaseState, Leases } from './leases.ts';
