/** Finds the known word that somebody probably meant. */

/** The nearest known word, if it is near enough to be a slip: one edit in four letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(plain(word), plain(name));
    const allowed = Math.max(1, Math.floor(Math.max(word.length, name.length) / 4));
    if (distance <= allowed && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}

/** Case, `-` and `_` are how other tools spell the same word. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Edits between two words; two neighbours swapped count as one. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? 0;
}
