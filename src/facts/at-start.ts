/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { EFFECT_STATES } from './effect.ts';
export { EVENT_KINDS } from './event.ts';
export { PROPOSAL_STATES } from './proposal.ts';
export { BREAKDOWNS } from './units.ts';
