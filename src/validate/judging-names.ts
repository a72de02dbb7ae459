/**
 * Declared files whose names say that they judge changes (rule 10). A program of that kind that a gate names is a gate,
 * unless the operator declared it by that very name; anything else is a guess, about which a person is asked.
 */
import { shownPath } from '../git/index.ts';
import { isNamedBy, isText, judgingFile } from '../policy/index.ts';
import type { PolicyContext } from './policy-context.ts';
import type { TouchedFile } from './types.ts';

export function judgingReasons({ path }: TouchedFile, context: PolicyContext): string[] {
  const by = gateName(path, context);
  return by === undefined
    ? []
    : [`${shownPath(path)} is a gate: it is called "${by}", and a check of the target runs it.`];
}

export function judgingAsks({ path }: TouchedFile, context: PolicyContext): string[] {
  const judging = judgingFile(path, context.agentFiles);
  if (judging?.isSure !== false || gateName(path, context) !== undefined) return [];
  return [
    `${shownPath(path)} is declared as an agent's file, but its name ("${judging.by}") may say that it judges changes: a person decides.`,
  ];
}

function gateName(path: string, { agentFiles, gates }: PolicyContext): string | undefined {
  const judging = judgingFile(path, agentFiles);
  if (judging === undefined || judging.isSure || judging.isSpelledOut || isText(path))
    return undefined;
  const mentions = [...gates.direct, ...gates.inFiles, ...gates.inCiFiles];
  return isNamedBy(path, judging.by, mentions) ? judging.by : undefined;
}
