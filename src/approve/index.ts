export {
  approveCommand,
  ask,
  askedTier,
  awaitDecision,
  type Decided,
  decide,
} from './approve.ts';
export type { ApprovePorts, Decision, Notice, TierSettings } from './types.ts';
