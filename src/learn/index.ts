export {
  cycleParts,
  type Fix,
  fixesOf,
  listFixes,
  recordFix,
  type Seen,
  type StayedFix,
  stayedFixes,
} from './learn.ts';
export { ownOutcomes } from './own-outcomes.ts';
export {
  type Decided,
  generatorOf,
  type Pause,
  type Paused,
  type PauseLimits,
  type PauseQuestion,
  pauseOf,
  pausesNow,
} from './pauses.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export {
  type ClosedChange,
  type TriedChanges,
  triedChanges,
  whyClosed,
} from './tried-changes.ts';
