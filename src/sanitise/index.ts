export { type Masked, mask, maskKeyLine, secretKinds } from './mask.ts';
export { type HiddenInDiff, type MaskedDiff, maskDiff } from './mask-diff.ts';
export { RECORDED_MAX, type Recorded, recordedText, recordText } from './recorded-text.ts';
export {
  SANITISER_VERSION,
  type Sanitise,
  type Sanitised,
  sanitise,
} from './sanitise.ts';
export {
  REPLACED_KINDS,
  type Replaced,
  type ReplacedKind,
  type SanitiserRules,
} from './types.ts';
