/** Every generator. Each is asked about each pattern; the drafts of all of them are ranked together. */
import { constantTune } from './generators/constant-tune/constant-tune.ts';
import type { Generator } from './types.ts';

export const GENERATORS: readonly Generator[] = [constantTune];
