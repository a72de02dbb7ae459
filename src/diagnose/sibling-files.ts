/**
 * Which files are called alike but for the name of an agent in them: `works/gaffer_settings.py` and `works/packer_settings.py`. Each is
 * that agent's, and no other's. One such file alone may be anybody's. Pure.
 */
import { wordsOf } from './wording.ts';

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
