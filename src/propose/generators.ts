/** Every generator. Each is asked about each pattern; the drafts of all of them are ranked together, equals in this order. */
import { addRule } from './generators/add-rule/add-rule.ts';
import { constantTune } from './generators/constant-tune/constant-tune.ts';
import { correctName } from './generators/correct-name/correct-name.ts';
import { correctText } from './generators/correct-name/correct-text.ts';
import { putBackText } from './generators/put-back/put-back-text.ts';
import { putBackValue } from './generators/put-back/put-back-value.ts';
import type { Generator } from './types.ts';

export const GENERATORS: readonly Generator[] = [
  putBackValue,
  putBackText,
  correctName,
  correctText,
  addRule,
  constantTune,
];
