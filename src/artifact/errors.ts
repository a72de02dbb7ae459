import { HoneError } from '../base/index.ts';

export type ArtifactErrorCode = 'too_large' | 'missing' | 'altered';

export class ArtifactError extends HoneError<ArtifactErrorCode> {}
