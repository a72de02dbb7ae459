export { learnSection } from './config-section.ts';
export {
  closedChanges,
  cycleParts,
  type Excuse,
  type Fix,
  type FixOutcome,
  listFixes,
  recordFix,
} from './learn.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
