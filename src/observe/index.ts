export {
  type Collected,
  type CollectOptions,
  Collector,
  type CollectorOptions,
} from './collector.ts';
export { nodeSourceFiles } from './files/node-files.ts';
export {
  type Candidate,
  type Candidates,
  type Sampled,
  sampleFile,
  walkPlace,
} from './files/sample-file.ts';
export { streamSourceFiles } from './files/stream-files.ts';
export { lookAtSource, type SourceLook } from './look-at-source.ts';
export { TelemetryPush } from './push.ts';
export type { Pushed } from './push-lane.ts';
export { deleteOutdated, type KeptFor, type Outdated, outdated } from './retention.ts';
export type { JsonlEvent } from './sources/jsonl/wire-schema.ts';
export { type Encoding, statusBody, successBody } from './sources/otlp/answers.ts';
export type { Signal } from './sources/otlp/model.ts';
export {
  type AsideGroup,
  asideGroups,
  readSources,
  type SourceCounts,
} from './sources-view.ts';
export { type StoredEvent, Telemetry, type Totals } from './telemetry-view.ts';
export { type Breach, Thresholds } from './thresholds.ts';
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
  type RunningCommand,
  type SourceCommands,
  type SourceFile,
  type SourceFiles,
  type SourceSettings,
  type TargetCommits,
} from './types.ts';
