export {
  type Collected,
  type CollectOptions,
  Collector,
  type CollectorOptions,
} from './collector.ts';
export { nodeSourceFiles } from './files/node-files.ts';
export { lookAtSource, type SourceLook } from './look-at-source.ts';
export { type Pruned, pruneEvents } from './prune.ts';
export type { JsonlEvent } from './sources/jsonl/wire-schema.ts';
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
  type FileListing,
  type ObserveSettings,
  type OpenFile,
  type SourceFile,
  type SourceFiles,
  type SourceSettings,
} from './types.ts';
