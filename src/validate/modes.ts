/**
 * The modes of validation that Hone knows, in the order in which they run: the cheap ones that only read come
 * first, those that run the change last. Adding one: `docs/guides/add-a-validation-mode.md`.
 */
import type { RequiredModes } from '../proposal/index.ts';
import { evaluation } from './modes/eval/eval.ts';
import { manual } from './modes/manual/manual.ts';
import { policy } from './modes/policy/policy.ts';
import { replay } from './modes/replay/replay.ts';
import { syntax } from './modes/syntax/syntax.ts';
import { unit } from './modes/unit/unit.ts';
import type { ValidationMode } from './types.ts';

export const MODES: readonly ValidationMode[] = [policy, syntax, unit, evaluation, replay, manual];

/** The room's own: whether there is a candidate at all. Nothing else can be asked without one. */
export const DIFF_MODE = 'diff';

const always = MODES.filter(({ applies }) => applies === undefined);
const sometimes = MODES.filter(({ applies }) => applies !== undefined);

/** Without a verdict of each that always applies, and of one of the others, nothing is deployed. */
export const REQUIRED_MODES: RequiredModes = [
  DIFF_MODE,
  ...always.map(({ name }) => name),
  sometimes.map(({ name }) => name),
];
