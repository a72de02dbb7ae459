export {
  type Collected,
  type CollectOptions,
  Collector,
  type CollectorOptions,
} from './collector.ts';
export {
  type EventFilter,
  eventPages,
  findEvents,
  firstFailure,
  isFailed,
  placeOfEvent,
  traceEvents,
} from './events-view.ts';
export { nodeSourceFiles } from './files/node-files.ts';
export { sampleFile } from './files/sample-file.ts';
export { type StreamFiles, streamSourceFiles } from './files/stream-files.ts';
export { lookAtSource, type SourceLook } from './look-at-source.ts';
export { OWN_SOURCE, storeFrom, storeOwnEvents } from './own-events.ts';
export { TelemetryPush } from './push.ts';
export type { Pushed } from './push-lane.ts';
export { isPushed } from './pushed-sources.ts';
export { type Candidate, type Recognition, recognise } from './recognise.ts';
export { deleteOutdated, type KeptFor, type Outdated, outdated } from './retention.ts';
export { sinceKinds } from './since.ts';
export { wireOf } from './sources/jsonl/wire-of.ts';
export type { JsonlEvent } from './sources/jsonl/wire-schema.ts';
export { type Encoding, statusBody, successBody } from './sources/otlp/answers.ts';
export type { Signal } from './sources/otlp/model.ts';
export { SOURCES } from './sources.ts';
export {
  type AsideGroup,
  asideGroups,
  readSources,
  type SourceCounts,
} from './sources-view.ts';
export { type SpanNode, spanTree } from './span-tree.ts';
export { type FileGroup, Survey, type Surveyed, type SurveyProgress } from './survey.ts';
export {
  absolute,
  type FoundFile,
  type FoundFiles,
  findFiles,
} from './survey-files.ts';
export { type StoredEvent, Telemetry, type Totals } from './telemetry-view.ts';
export { type Breach, Thresholds } from './thresholds.ts';
export {
  correctionCounts,
  eventsBySource,
  failuresByDay,
  quantile,
  type ToolCount,
  toolCounts,
} from './tools-view.ts';
export { findTraces, type TraceSummary } from './trace-list.ts';
export { type TriggerSettings, URGENCIES, type Urgency } from './trigger-settings.ts';
export {
  ASIDE_REASONS,
  type AsideReason,
  type CleanEvent,
  type CommandEnd,
  type CommandLimits,
  type FileListing,
  type ObserveSettings,
  type OpenFile,
  type Recognised,
  type RunningCommand,
  type Sample,
  type SourceCommands,
  type SourceFile,
  type SourceFiles,
  type SourceKind,
  type SourceSettings,
  type TargetCommits,
} from './types.ts';
export { looksLike } from './unknown-file.ts';
