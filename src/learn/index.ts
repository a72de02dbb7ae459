export { type ClosedChange, closedChanges } from './closed-changes.ts';
export { learnSection } from './config-section.ts';
export { cycleParts, type Excuse, type Fix, listFixes, recordFix } from './learn.ts';
export { type Decided, type Pause, type PauseLimits, pauseOf } from './pauses.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
