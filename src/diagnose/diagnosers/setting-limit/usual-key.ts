/**
 * Whether a number that stands beside nobody's name has the key under which others have something at each of their tools, while this
 * agent has nothing of that key for this tool: then this one may be what it goes by. What the key means need not be known. Keys
 * are compared without the names in them: `SHARED_HOLD` beside `SCOUT_READ_HOLD`. A place below a name that nobody is known by is
 * that one's. Pure.
 */
import { posix } from 'node:path';
import { EVERYBODY, ownershipOf } from '../../ownership.ts';
import { toolNames } from '../../tool-names.ts';
import type { Failure, Setting } from '../../types.ts';
import { sameName, wordsOf } from '../../wording.ts';

type Named = Pick<Failure, 'agent' | 'tool'>;

interface Around {
  readonly failure: Named;
  readonly settings: readonly Setting[];
  readonly all: readonly Named[];
}

/** One other may be chance. */
const OTHERS_MIN = 2;

export function isUsualKey(setting: Setting, { failure, settings, all }: Around): boolean {
  if (failure.tool === '') return false;
  const names = namesOf(all);
  const key = keyWithoutNames(setting, names);
  if (key === '') return false;
  const alike = settings.filter(
    (one) => joined(one).includes(`_${key}_`) && keyWithoutNames(one, names) === key,
  );
  const theirs = alike.filter((one) =>
    all.some(({ agent, tool }) => tool !== '' && ownershipOf(one, agent, tool) === 'both'),
  );
  const isOwn = (one: Setting) => {
    const owner = ownershipOf(one, failure.agent, failure.tool);
    // What this agent has for another of its tools is its own by the file alone.
    return owner === 'agent' ? !theirs.includes(one) : owner === 'tool' || owner === 'both';
  };
  return theirs.length >= OTHERS_MIN && !alike.some(isOwn) && namesNobody(setting, theirs);
}

/** Whether it stands below nothing but the name of its file and keys that others have as well. */
function namesNobody(setting: Setting, theirs: readonly Setting[]): boolean {
  const keys = new Set(theirs.flatMap(({ steps }) => steps.map(({ key }) => key)));
  const above = setting.steps.slice(0, -1).map(({ key }) => key);
  return above.every(
    (key) => sameName(key, stemOf(setting)) || EVERYBODY.test(key) || keys.has(key),
  );
}

/** Names as the words of a key have them, the longest first. */
function namesOf(all: readonly Named[]): readonly string[] {
  const names = all.flatMap(({ agent, tool }) => [agent, tool, toolNames(tool).own]);
  return [...new Set(names.map(underscored))].sort((a, b) => b.length - a.length);
}

/** The words of its own key, less those of its file's name and of agents and tools. */
function keyWithoutNames(setting: Setting, names: readonly string[]): string {
  return [underscored(stemOf(setting)), ...names]
    .filter((name) => name !== '__')
    .reduce((left, name) => left.replace(name, '_'), joined(setting))
    .replace(/^_|_$/g, '');
}

const joined = ({ steps }: Setting) => underscored(steps.at(-1)?.key ?? '');

const underscored = (name: string) => `_${wordsOf(name).join('_')}_`;

const stemOf = ({ file }: Setting) => posix.basename(file).replace(/(?:\.[A-Za-z]+)+$/, '');
