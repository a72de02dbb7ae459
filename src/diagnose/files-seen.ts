/** Says where `target.agentFiles` names nothing that Hone can tune: a mistyped glob looks like a healthy fleet. */
import type { FilesSeen } from './types.ts';
import { shown } from './wording.ts';

const GLOBS_SHOWN_MAX = 5;

/** One sentence, or none where every glob matches and something can be tuned. */
export function seenWords(seen: FilesSeen, branch: string): string[] {
  const { globs, emptyGlobs, files, settingsFiles, filesRead } = seen;
  if (globs === 0) return [];
  const at = `at ${shown(branch)}`;
  if (files === 0)
    return [`${many(globs, 'glob')} ${agree(globs)} 0 files ${at}: correct target.agentFiles.`];
  const all = `${many(globs, 'glob')} of target.agentFiles ${agree(globs)} ${many(files, 'file')} ${at}`;
  if (settingsFiles === 0)
    return [`${all}, none of them in a format that Hone reads (YAML, JSON, TOML, INI).`];
  if (filesRead === 0)
    return [`${all}, and none of the ${settingsFiles} with settings can be read.`];
  if (emptyGlobs.length === 0) return [];
  const named = emptyGlobs.slice(0, GLOBS_SHOWN_MAX).map((glob) => shown(glob, 80));
  const more = emptyGlobs.length > named.length ? ', …' : '';
  return [
    `${emptyGlobs.length} of ${many(globs, 'glob')} of target.agentFiles ${agree(emptyGlobs.length)} 0 files ${at}: ${named.join(', ')}${more}.`,
  ];
}

const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const agree = (count: number) => (count === 1 ? 'matches' : 'match');
