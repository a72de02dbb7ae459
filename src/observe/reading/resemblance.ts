/** Which other kind a refused line looks like: whoever reads why it was refused wants to know what to do. */
import type { SourceKind } from '../types.ts';

/** A guess that is no better helps nobody. */
const CERTAINTY_MIN = 0.6;

export function resemblance(
  text: string,
  fileName: string,
  kinds: readonly Pick<SourceKind, 'recognise'>[],
): string | undefined {
  const sample = { path: `/${fileName}`, head: text, isWhole: true };
  let best: { what: string; certainty: number } | undefined;
  for (const kind of kinds) {
    const found = kind.recognise?.(sample);
    if (found !== undefined && found.certainty > (best?.certainty ?? CERTAINTY_MIN)) best = found;
  }
  if (best === undefined) return undefined;
  return `This looks like another format (${best.what}): run hone sources add with its path.`;
}
