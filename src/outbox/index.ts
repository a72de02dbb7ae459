export { type DeliverPorts, type DeliverStep, deliverAll, deliverNext } from './deliver.ts';
export { countEffects, effectWriter, listEffects, readEffect } from './outbox-store.ts';
export { OUTCOMES, type Outcome, type Settled, settleEffect } from './settle.ts';
export type { AllowedSteps, Destination, Effect, OutboxLimits, Sent } from './types.ts';
