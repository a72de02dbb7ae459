/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { countProposals, type NamedProposal, namedById, namedByState } from './proposal-counts.ts';
export { AT_THE_TARGET } from './transitions.ts';
