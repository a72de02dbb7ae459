/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { ownApprovals, takenBackForHarm } from './by-itself.ts';
export { countProposals, type NamedProposal, namedById, namedByState } from './proposal-counts.ts';
export { AT_THE_TARGET, OPEN_STATES } from './transitions.ts';
