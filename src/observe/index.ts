export {
  type Collected,
  type CollectOptions,
  Collector,
  type CollectorOptions,
} from './collector.ts';
export { observeSection } from './config-section.ts';
export { nodeSourceFiles } from './node-files.ts';
export { type Pruned, pruneEvents } from './prune.ts';
export { type EventReading, readEvent } from './read-event.ts';
export {
  type AsideGroup,
  asideGroups,
  readSources,
  type SourceCounts,
} from './sources-view.ts';
export { type StoredEvent, Telemetry, type Totals } from './telemetry-view.ts';
export {
  ASIDE_REASONS,
  type AsideReason,
  type CleanEvent,
  type Listing,
  type ObserveSettings,
  type OpenFile,
  type Source,
  type SourceFile,
  type SourceFiles,
} from './types.ts';
