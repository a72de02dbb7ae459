export {
  type HealthCheck,
  type HealthState,
  type OwnFigures,
  ownHealth,
  worst,
} from './health.ts';
export { checkInvariants, type InvariantInput, type Violation } from './invariants.ts';
