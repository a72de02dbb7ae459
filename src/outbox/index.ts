export { type DeliverStep, deliverAll, deliverNext } from './deliver.ts';
export {
  countEffects,
  effectsSince,
  effectWriter,
  listEffects,
  readEffect,
} from './outbox-store.ts';
export { leaveUnsentUncertain } from './restored.ts';
export { OUTCOMES, type Outcome, type Settled, settleEffect } from './settle.ts';
export type {
  AllowedSteps,
  DeliverPorts,
  Destination,
  Effect,
  OutboxLimits,
  Sent,
} from './types.ts';
