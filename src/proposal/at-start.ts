/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { countProposals, type NamedProposal, namedById, namedByState } from './proposal-counts.ts';
export { AT_THE_TARGET } from './transitions.ts';
