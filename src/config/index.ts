export { detectBranch } from './detect-branch.ts';
export { detectProject } from './detect-project.ts';
export { ConfigError, type ConfigErrorCode } from './errors.ts';
export { composeSections, type Field, field, group, type Shape, section } from './fields.ts';
export { type FoundationConfig, foundationSections } from './foundation-sections.ts';
export { nodeTree, readConfigFile } from './node-files.ts';
export { configDigest, expectConfig, parseConfig, readableSections } from './parse-config.ts';
export {
  type AcceptedLast,
  acceptedAtMs,
  acceptedLast,
  isAcceptedLast,
  planAccept,
} from './pin.ts';
export { formatProblems } from './problem.ts';
export { byteSize, duration, formatDuration, formatSize, parseDuration } from './quantities.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export { renderConfig } from './render-config.ts';
export { renderConfigReference } from './render-reference.ts';
export {
  type GateDefault,
  type ScheduleDefault,
  schedulesSection,
  switchesSection,
} from './schedules-section.ts';
export { configChanges, setKeys, showConfig } from './show-config.ts';
export type {
  Change,
  Composed,
  ConfigOf,
  ConfigurationState,
  Detected,
  ParseResult,
  Problem,
  ProblemCode,
  ReadOnlyTree,
  Section,
  TreeEntry,
} from './types.ts';
export {
  cron,
  hostName,
  origin,
  resolveStore,
  type StoreTarget,
  timeZone,
  toolPattern,
} from './value-types.ts';
export {
  type AnyWeakens,
  type Leaf,
  leavesOf,
  ONCE_NAMED,
  type Weakens,
  weakenedKeys,
  weakensText,
} from './weakens.ts';
