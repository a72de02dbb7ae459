/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { EFFECT_STATES } from './effect.ts';
export { PROPOSAL_STATES } from './proposal.ts';
