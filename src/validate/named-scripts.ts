/** Commands that have a name: the scripts of `package.json` and the targets of a `Makefile`, of the base. */
import type { CommitId, TargetRepository } from '../git/index.ts';

export const MANIFEST = 'package.json';
const BYTES_MAX = 1024 * 1024;
/** Where `make` looks, in its order. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
/** A target and its recipe: lines that begin with a tab. */
const RECIPE = /^([\w.-]{1,100}):[^=\n]*\n((?:\t[^\n]*\n?)+)/gm;

export async function scriptsOf(
  repository: Pick<TargetRepository, 'readFile'>,
  base: CommitId,
): Promise<Readonly<Record<string, string>>> {
  const textOf = async (path: string) => {
    const bytes = await repository.readFile(base, path);
    return bytes === undefined || bytes.length > BYTES_MAX ? undefined : Buffer.from(bytes);
  };
  const made: Record<string, string> = {};
  for (const name of MAKEFILES) {
    const text = (await textOf(name))?.toString();
    for (const [, target, recipe] of text?.matchAll(RECIPE) ?? []) made[target!] ??= recipe!;
  }
  const scripts = fieldsOf((await textOf(MANIFEST))?.toString() ?? '')?.['scripts'];
  return { ...made, ...(isMap(scripts) ? (scripts as Record<string, string>) : {}) };
}

/** As npm reads it, where the last of equal keys counts: what it would run must not be hidden from here. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
