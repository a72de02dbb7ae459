/** One edit that makes a text another one, with as many lines before it as make it the only place. Pure. */
export function editBetween(before: string, after: string): { from: string; to: string } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let rest = 0;
  while (
    rest < old.length - first &&
    rest < now.length - first &&
    old[old.length - 1 - rest] === now[now.length - 1 - rest]
  )
    rest++;
  for (let start = Math.max(0, first - 1); ; start--) {
    const from = old.slice(start, old.length - rest).join('\n');
    const isOnly = from !== '' && before.indexOf(from) === before.lastIndexOf(from);
    if (isOnly || start <= 0) return { from, to: now.slice(start, now.length - rest).join('\n') };
  }
}
