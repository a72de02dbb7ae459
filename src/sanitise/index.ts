export { type Masked, mask, maskKeyLine, secretKinds } from './mask.ts';
export { type HiddenInDiff, type MaskedDiff, maskDiff } from './mask-diff.ts';
export { RECORDED_MAX, type Recorded, recordedText, recordText } from './recorded-text.ts';
export {
  replacedSpans,
  SANITISER_VERSION,
  type Sanitise,
  type Sanitised,
  sanitise,
} from './sanitise.ts';
export {
  type OwnRule,
  PERSONAL_KINDS,
  PLACE_KINDS,
  REPLACED_KINDS,
  type Replaced,
  type ReplacedKind,
  type SanitiserRules,
  type Span,
} from './types.ts';
