/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { CONFIG_DIGEST } from './config-digest.ts';
export { listCycles } from './cycle-store.ts';
export { proposalsThatNeedAPerson, waitingProposals } from './waiting.ts';
export { countDue, troubledWorks } from './works.ts';
