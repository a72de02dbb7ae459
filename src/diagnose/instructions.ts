/**
 * Which text of the target tells an agent what to do: the one that its settings name, or that has its name. None where
 * there are several. Pure.
 */
import { ownershipOf } from './ownership.ts';
import type { Evidence } from './types.ts';
import { sameName } from './wording.ts';

const TEXT = /\.(?:md|markdown|mdx|txt|prompt)$/i;

export function instructionsOf(
  agent: string,
  { settings, texts = [] }: Pick<Evidence, 'settings' | 'texts'>,
): string | undefined {
  const known = texts.filter((file) => TEXT.test(file));
  const named = new Set(
    settings.flatMap((one) => {
      const { value } = one;
      if (typeof value !== 'string' || !TEXT.test(value)) return [];
      const owner = ownershipOf(one, agent, '');
      if (owner !== 'agent' && owner !== 'both') return [];
      const plain = value.replace(/^\.{0,2}\/+/, '');
      return known.filter((file) => file === plain || file.endsWith(`/${plain}`));
    }),
  );
  const called = known.filter((file) =>
    file.split('/').some((part) => sameName(part.replace(TEXT, ''), agent)),
  );
  const found = named.size > 0 ? [...named] : called;
  return found.length === 1 ? found[0] : undefined;
}
