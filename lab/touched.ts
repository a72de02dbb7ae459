/** Which lines a change touches, and whether these are places that a scenario names. Pure. */
import { findPlace, type Place, type TargetFiles } from './places.ts';

/** By file: lines of the text before it, from 1. What is only inserted touches the lines around it. */
export type Touched = ReadonlyMap<string, ReadonlySet<number>>;

/** From a unified diff. */
export function touchedByDiff(diff: string): Touched {
  const touched = new Map<string, Set<number>>();
  let file: string | undefined;
  let line = 0;
  let isHunk = false;
  let isReplacing = false;
  for (const text of diff.split('\n')) {
    const [, name] = /^diff --git a\/(.*) b\/.*$/.exec(text) ?? [];
    const [, start] = /^@@ -(\d+)/.exec(text) ?? [];
    if (name !== undefined) {
      file = name;
      isHunk = false;
      touched.set(file, new Set());
    } else if (start !== undefined) {
      line = Number(start);
      isHunk = true;
    } else if (isHunk && file !== undefined) {
      const lines = touched.get(file)!;
      if (text.startsWith('-')) lines.add(line);
      else if (text.startsWith('+') && !isReplacing) lines.add(Math.max(1, line - 1)).add(line);
      isReplacing = text.startsWith('-') || (isReplacing && text.startsWith('+'));
      if (text.startsWith('-') || text.startsWith(' ')) line += 1;
    }
  }
  return touched;
}

/** From two versions of all files. */
export function touchedBetween(before: TargetFiles, after: TargetFiles): Touched {
  const touched = new Map<string, Set<number>>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path) ?? '', after.get(path) ?? ''];
    if (old !== now) touched.set(path, differingLines(old.split('\n'), now.split('\n')));
  }
  return touched;
}

function differingLines(old: readonly string[], now: readonly string[]): Set<number> {
  if (old.length === now.length)
    return new Set(old.flatMap((text, index) => (text === now[index] ? [] : [index + 1])));
  let first = 0;
  while (first < old.length && old[first] === now[first]) first++;
  let end = old.length;
  let nowEnd = now.length;
  while (end > first && nowEnd > first && old[end - 1] === now[nowEnd - 1]) {
    end--;
    nowEnd--;
  }
  const lines = old.slice(first, end).map((_, index) => first + index + 1);
  return new Set(lines.length > 0 ? lines : [Math.max(1, first), first + 1]);
}

/** Whether everything touched is at one of these places; an inserted line is where one of its neighbours is. */
export function isWithin(touched: Touched, places: readonly Place[], files: TargetFiles): boolean {
  return (
    touched.size > 0 &&
    [...touched].every(([file, lines]) => {
      const here = places.filter((place) => place.file === file);
      if (here.some(({ path, match }) => path === undefined && match === undefined)) return true;
      const right = new Set(here.map((place) => findPlace(files, place)?.line));
      return [...lines].every(
        (line) => right.has(line) || right.has(line + 1) || right.has(line - 1),
      )
        ? [...lines].some((line) => right.has(line))
        : false;
    })
  );
}
