/**
 * Which agents and tools a place in the files is called like, without having their name: `hall/dispatch/line.py` and the agent
 * `dispatcher`, `waiting: { photos: 20s }` and the tool `fetch_photos`. A word counts where only one of all the names that telemetry
 * knows has it, so that no list of common words is needed. It makes nobody else's of anything. Pure.
 */
import { posix } from 'node:path';
import type { FailureGroup } from '../facts/index.ts';
import type { Setting } from './types.ts';
import { wordsOf } from './wording.ts';

const LETTERS_MIN = 4;
/** What a word begins with tells `dispatch` of `dispatcher`, `reports` of `reporter`. */
const STEM_LETTERS = 6;

const stemsOf = (text: string) =>
  wordsOf(text)
    .filter((word) => word.length >= LETTERS_MIN)
    .map((word) => word.slice(0, STEM_LETTERS));

export function withLikeNames(
  settings: readonly Setting[],
  groups: readonly Pick<FailureGroup, 'event' | 'agent' | 'tool'>[],
): readonly Setting[] {
  const known = ownWords(groups);
  const ofFiles = new Map<string, readonly string[]>();
  const likeOf = (stems: readonly string[]) => stems.flatMap((stem) => known.get(stem) ?? []);
  const ofFile = (file: string) => {
    const before = ofFiles.get(file);
    if (before !== undefined) return before;
    const { dir, name } = posix.parse(file);
    const like = likeOf(stemsOf(`${dir} ${name}`));
    ofFiles.set(file, like);
    return like;
  };
  return settings.map((setting) => {
    const like = [...ofFile(setting.file), ...likeOf(setting.path.flatMap(stemsOf))];
    return like.length === 0 ? setting : { ...setting, like: [...new Set(like)] };
  });
}

/** By the beginning of a word the only name that has it. */
function ownWords(
  groups: readonly Pick<FailureGroup, 'event' | 'agent' | 'tool'>[],
): ReadonlyMap<string, string> {
  const calls = groups.filter(({ event = 'tool_call' }) => event === 'tool_call');
  const names = new Set([...groups.map(({ agent }) => agent), ...calls.map(({ tool }) => tool)]);
  const found = new Map<string, Set<string>>();
  for (const name of names)
    for (const stem of stemsOf(name)) found.set(stem, (found.get(stem) ?? new Set()).add(name));
  return new Map(
    [...found].flatMap(([stem, of]) => (of.size === 1 ? [[stem, [...of][0]!] as const] : [])),
  );
}
