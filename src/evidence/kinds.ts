/** Every kind of evidence, and what makes one valid. */
import type { EvidenceKind } from '../facts/index.ts';
import { build } from './kinds/build.ts';
import { coverage } from './kinds/coverage.ts';
import { diff } from './kinds/diff.ts';
import { document } from './kinds/document.ts';
import { rubric } from './kinds/rubric.ts';
import { tests } from './kinds/tests.ts';
import type { EvidenceValidator } from './types.ts';

const VALIDATORS: Readonly<Record<EvidenceKind, EvidenceValidator>> = {
  tests,
  build,
  coverage,
  diff,
  rubric,
  document,
};

export const validatorOf = (kind: EvidenceKind): EvidenceValidator => VALIDATORS[kind];
