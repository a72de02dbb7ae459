/** Whose a value is, by its place and by who mentions its file. Pure. */
import { posix } from 'node:path';
import { type Ownership, ownershipOf } from './ownership.ts';
import { isAbout, mentions, mentionsPath } from './references.ts';
import type { Evidence, Failure, Setting } from './types.ts';

/** The words of the target's files, where they are known. */
interface Words {
  readonly words?: Evidence['words'] | undefined;
}

/**
 * A value of nobody in particular is the tool's where files about the agent or the tool mention its file. In a folder of agents or tools
 * a file with another name is another's, unless they mention its very path.
 */
export function settingOwner(setting: Setting, failure: Failure, evidence: Words): Ownership {
  const { agent, tool } = failure;
  const owner = ownershipOf(setting, agent, tool);
  if (owner === 'anyone') return isMentionedBy(setting.file, failure, evidence) ? 'tool' : owner;
  if (owner !== 'none') return owner;
  const alone = { ...setting, file: posix.basename(setting.file) };
  const isByFolder = ownershipOf(alone, agent, tool) === 'anyone';
  return isByFolder && isMentionedBy(setting.file, failure, evidence, mentionsPath)
    ? 'tool'
    : owner;
}

/** Whether a file about this agent or tool mentions another file. */
export function isMentionedBy(
  file: string,
  failure: Failure,
  { words = new Map() }: Words,
  isMention = mentions,
): boolean {
  return [...words.keys()].some(
    (other) => other !== file && isAbout(other, failure, words) && isMention(other, file, words),
  );
}
