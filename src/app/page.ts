/** One page of a list: as many as were asked for, and where the next one begins. */
export function pageOf<One>(
  /** One more than is shown says whether there are others. */
  found: readonly One[],
  limit: number,
  nameOf: (one: One) => string,
): { readonly shown: readonly One[]; readonly next: string | null } {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: found.length > limit && last !== undefined ? nameOf(last) : null };
}
