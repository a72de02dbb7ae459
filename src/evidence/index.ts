export { EvidenceError, type EvidenceErrorCode } from './errors.ts';
export { evidenceOf, findEvidence } from './item-rows.ts';
export { validatorOf } from './kinds.ts';
export { type OwnCommand, type OwnRun, type OwnRunner, runOwn } from './own-run.ts';
export {
  makePack,
  type PackInput,
  packParts,
  readManifest,
  type Verified,
  verifyPack,
} from './pack.ts';
export { evidenceTextOf, readEvidenceFile } from './read-file.ts';
export type { EvidenceFile, EvidencePlace, Judged, Manifest, Pack, RunEnd } from './types.ts';
