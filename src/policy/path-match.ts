/** Patterns of paths, matched against the names of a path. */

/**
 * The first pattern that these names match. `*` stands for anything within a name, `**` for any names; a pattern
 * matches in every folder, and from the root only when it begins with `/`. Both sides are compared in small letters.
 */
export function matchingComponents(
  components: readonly string[],
  patterns: readonly string[],
): string | undefined {
  const at = partsOf(patterns).findIndex((parts) => matches(parts, components));
  return patterns[at];
}

/** A list of patterns is asked about every path of a change: it is read once. */
const read = new WeakMap<readonly string[], readonly (readonly string[])[]>();

function partsOf(patterns: readonly string[]): readonly (readonly string[])[] {
  const known = read.get(patterns);
  if (known !== undefined) return known;
  const all = patterns.map((pattern) => {
    const parts = pattern.toLowerCase().split('/');
    return parts[0] === '' ? parts.slice(1) : ['**', ...parts];
  });
  read.set(patterns, all);
  return all;
}

/** Both sides from the left, going back only to the last `**`, so that the time is their product at most. */
export function matches(parts: readonly string[], components: readonly string[]): boolean {
  let [part, component] = [0, 0];
  let star: { readonly part: number; component: number } | undefined;
  while (component < components.length) {
    if (parts[part] === '**') {
      star = { part, component };
      part++;
    } else if (part < parts.length && matchesName(parts[part]!, components[component]!)) {
      part++;
      component++;
    } else if (star !== undefined) {
      star.component++;
      part = star.part + 1;
      component = star.component;
    } else return false;
  }
  // `policies/**` is what is inside the folder, and the folder's name as a file or link.
  while (parts[part] === '**') part++;
  return part === parts.length;
}

function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const [first, ...rest] = pattern.split('*');
  if (!name.startsWith(first!)) return false;
  const last = rest.pop()!;
  let at = first!.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** A name as the laxest file system would open it: without trailing dots and spaces, or an NTFS stream. */
export function openedName(component: string): string {
  return component.split(':', 1)[0]!.replace(/[. ]+$/, '');
}
