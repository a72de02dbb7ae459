/** Whose a value is, by its place and by who mentions its file. Pure. */
import { type Ownership, ownershipOf } from './ownership.ts';
import { isAbout, mentions } from './references.ts';
import type { Evidence, Failure, Setting } from './types.ts';

/** The words of the target's files, where they are known. */
interface Words {
  readonly words?: Evidence['words'] | undefined;
}

/** A value of nobody in particular is the tool's where files about the agent or the tool mention its file. */
export function settingOwner(setting: Setting, failure: Failure, evidence: Words): Ownership {
  const owner = ownershipOf(setting, failure.agent, failure.tool);
  return owner === 'anyone' && isMentionedBy(setting.file, failure, evidence) ? 'tool' : owner;
}

/** Whether a file about this agent or tool mentions another file. */
export function isMentionedBy(
  file: string,
  failure: Failure,
  { words = new Map() }: Words,
): boolean {
  return [...words.keys()].some(
    (other) => other !== file && isAbout(other, failure, words) && mentions(other, file, words),
  );
}
