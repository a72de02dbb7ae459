/** When a limit of a day allows one more. Loads nothing, for `hone status`. */
const DAY_MS = 86_400_000;

/** When fewer than `max` are younger than a day; undefined where none is allowed. */
export function freeAgainMs(
  times: readonly { readonly atMs: number }[],
  max: number,
): number | undefined {
  const last = max > 0 ? times.at(-max) : undefined;
  return last && last.atMs + DAY_MS;
}
