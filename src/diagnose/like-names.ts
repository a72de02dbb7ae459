/**
 * Which agents and tools a place in the files is called like, without having their name: `hall/dispatch/line.py` and the agent
 * `dispatcher`, `waiting: { photos: 20s }` and the tool `fetch_photos`. A word counts where only one of all the names that telemetry
 * knows has it, so that no list of common words is needed. Likeness makes nothing somebody else's; a file with the very name of a tool
 * is that tool's. Pure.
 */
import { posix } from 'node:path';
import type { FailureGroup } from '../facts/index.ts';
import { filesNamingAgents, filesOfAgents } from './sibling-files.ts';
import { isToolName, toolNames } from './tool-names.ts';
import type { Setting } from './types.ts';
import { wordsOf } from './wording.ts';

const LETTERS_MIN = 4;
/** What a word begins with tells `dispatch` of `dispatcher`, `reports` of `reporter`. */
const STEM_LETTERS = 6;
/** `ovens` and `oven_house`. */
const PLURAL = /(?<=\p{L}{4})s$/u;

const stemsOf = (text: string) =>
  wordsOf(text)
    .filter((word) => word.length >= LETTERS_MIN)
    .map((word) => word.replace(PLURAL, '').slice(0, STEM_LETTERS));

export function withLikeNames(
  settings: readonly Setting[],
  groups: readonly Named[],
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
  const toolsFiles = new Set(filesOfTools(settings, groups));
  const agents = [...new Set(groups.map(({ agent }) => agent))];
  const ofAgents = new Map([
    ...filesNamingAgents(settings, agents),
    ...filesOfAgents([...new Set(settings.map(({ file }) => file))], agents),
  ]);
  return settings.map((setting) => {
    const like = [...ofFile(setting.file), ...likeOf(setting.path.flatMap(stemsOf))];
    const isInToolsFile = toolsFiles.has(setting.file);
    const ofAgent = ofAgents.get(setting.file);
    if (like.length === 0 && !isInToolsFile && ofAgent === undefined) return setting;
    return {
      ...{ ...setting, like: [...new Set(like)] },
      ...(isInToolsFile ? { isInToolsFile } : {}),
      ...(ofAgent === undefined ? {} : { ofAgent }),
    };
  });
}

/** Files that have the very name of a tool. */
function filesOfTools(settings: readonly Setting[], groups: readonly Named[]): string[] {
  const tools = [...new Set(namedTools(groups))].map(toolNames);
  const files = [...new Set(settings.map(({ file }) => file))];
  return files.filter((file) => {
    const stem = posix.basename(file).replace(/(?:\.[A-Za-z]+)+$/, '');
    return tools.some((names) => isToolName(stem, names));
  });
}

const namedTools = (groups: readonly Named[]) =>
  groups.flatMap(({ event = 'tool_call', tool }) => (event === 'tool_call' ? tool : []));

type Named = Pick<FailureGroup, 'event' | 'agent' | 'tool'>;

/** By the beginning of a word the only name that has it. */
function ownWords(groups: readonly Named[]): ReadonlyMap<string, string> {
  const names = new Set([...groups.map(({ agent }) => agent), ...namedTools(groups)]);
  const found = new Map<string, Set<string>>();
  for (const name of names)
    for (const stem of stemsOf(name)) found.set(stem, (found.get(stem) ?? new Set()).add(name));
  return new Map(
    [...found].flatMap(([stem, of]) => (of.size === 1 ? [[stem, [...of][0]!] as const] : [])),
  );
}
