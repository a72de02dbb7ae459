export { GENERATORS } from './generators.ts';
export { PAGES_BRANCH, proposalPages } from './proposal-pages.ts';
export { proposeFix } from './propose-fix.ts';
export { renderIndex } from './render-index.ts';
export { renderPage } from './render-page.ts';
export { scoreProposal } from './score-proposal.ts';
export { type SubmittedInput, submittedContent } from './submitted.ts';
export type {
  Answer,
  Author,
  Declined,
  Draft,
  Generator,
  IndexRow,
  PageInput,
  PagePorts,
  Proposed,
  ProposePorts,
  TargetFiles,
  ValueEdit,
} from './types.ts';
