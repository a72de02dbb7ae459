/**
 * The modes of validation that Hone knows, in the order in which they run: the cheap ones that only read come
 * first, those that run the change last. Adding one: `docs/guides/add-a-validation-mode.md`.
 */
import { policy } from './modes/policy/policy.ts';
import { replay } from './modes/replay/replay.ts';
import { syntax } from './modes/syntax/syntax.ts';
import type { ValidationMode } from './types.ts';

export const MODES: readonly ValidationMode[] = [policy, syntax, replay];

/** The room's own: whether there is a candidate at all. Nothing else can be asked without one. */
export const DIFF_MODE = 'diff';

/** Without a verdict of each of these nothing is deployed. */
export const REQUIRED_MODES: readonly string[] = [DIFF_MODE, ...MODES.map(({ name }) => name)];
