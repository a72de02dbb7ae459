/**
 * Which files are alike but for the name of an agent: in what they are called, as `works/gaffer_settings.py` and
 * `works/packer_settings.py`, or in what they say at their top, as `who: gaffer` and `who: packer`. Each is that agent's, and no
 * other's. One such file alone may be anybody's. Pure.
 */
import type { Setting } from './types.ts';
import { sameName, wordsOf } from './wording.ts';

/** The agent whose file it is, by file. */
export function filesOfAgents(
  files: readonly string[],
  agents: readonly string[],
): ReadonlyMap<string, string> {
  const named = agents
    .map((agent) => ({ agent, words: `_${wordsOf(agent).join('_')}_` }))
    .filter(({ words }) => words !== '__');
  const found = files.flatMap((file) => {
    const words = `_${wordsOf(file).join('_')}_`;
    return named
      .filter((one) => words.includes(one.words))
      .map(({ agent, words: own }) => ({ file, agent, form: words.replace(own, '_*_') }));
  });
  const alike = [...Map.groupBy(found, ({ form }) => form).values()].filter(
    (some) => new Set(some.map(({ agent }) => agent)).size > 1,
  );
  const owners = Map.groupBy(alike.flat(), ({ file }) => file);
  return new Map(
    // A path with two names says not whose it is.
    [...owners].flatMap(([file, by]) => (by.length === 1 ? [[file, by[0]!.agent] as const] : [])),
  );
}

/** The same by the only agent that a file names at its top, under a key under which another file names another. */
export function filesNamingAgents(
  settings: readonly Pick<Setting, 'file' | 'path' | 'value'>[],
  agents: readonly string[],
): ReadonlyMap<string, string> {
  const found = settings.flatMap(({ file, path, value }) => {
    const isName = path.length === 1 && typeof value === 'string';
    const agent = isName ? agents.find((one) => one !== '' && sameName(one, value)) : undefined;
    return agent === undefined ? [] : [{ file, agent, key: path[0]! }];
  });
  const only = [...Map.groupBy(found, ({ file }) => file).values()].flatMap((said) =>
    new Set(said.map(({ agent }) => agent)).size === 1 ? said : [],
  );
  const alike = [...Map.groupBy(only, ({ key }) => key).values()].filter(
    (some) => new Set(some.map(({ agent }) => agent)).size > 1,
  );
  return new Map(alike.flat().map(({ file, agent }) => [file, agent]));
}
