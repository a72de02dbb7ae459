export { TextError, type TextErrorCode } from './errors.ts';
export {
  type Added,
  FORMS_MAX,
  Miner,
  type MinerChanges,
  type MinerState,
  type Template,
  type TemplateVariable,
} from './miner/index.ts';
export {
  canonicalForm,
  DEFAULT_LIMITS,
  type Encoding,
  type Finding,
  type FindingKind,
  type Layer,
  type Limits,
  type Normalised,
  normalise,
  type Severity,
  UNICODE_VERSION,
  visibleForm,
} from './normaliser/index.ts';
export { inert, isPlainName, isQualifiedName, quotedName, writtenName } from './plain-name.ts';
export {
  type Comparison,
  type Component,
  compareReadings,
  type Failure,
  type Neighbour,
  NeighbourIndex,
  type Reading,
  type Reason,
  readFailure,
  SAME_FROM,
  type SavedNeighbours,
  similarity,
} from './similarity/index.ts';
