export { canonicalForm, normalise, visibleForm } from './normalise.ts';
export {
  DEFAULT_LIMITS,
  type Encoding,
  type Finding,
  type FindingKind,
  type Layer,
  type Limits,
  type Normalised,
  type Severity,
} from './types.ts';
export { UNICODE_VERSION } from './unicode-data.ts';
