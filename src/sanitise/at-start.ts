/** What the configuration needs of the sanitiser, without its rules: every start of `hone` loads this. */
export { patternProblem } from './own-pattern.ts';
export { REPLACED_KINDS, type ReplacedKind } from './types.ts';
