/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { CONFIG_DIGEST } from './config-digest.ts';
export { automaticCycles, listCycles } from './cycle-store.ts';
export { freeAgainMs } from './free-again.ts';
export { countWaitingTriggers } from './trigger-count.ts';
export { proposalsThatNeedAPerson, waitingProposals } from './waiting.ts';
export { countDue, troubledWorks } from './works.ts';
