export {
  ARTIFACT_BYTES_MAX,
  type Artifact,
  artifactWrite,
  makeArtifact,
  readArtifact,
} from './artifacts.ts';
export { ArtifactError, type ArtifactErrorCode } from './errors.ts';
export { ParsedArtifacts } from './parsed.ts';
