/**
 * Three-way merge of lines (diff3). Like git's, changes that touch or overlap are a conflict unless both sides are the same. Where a
 * change is taken back, lines that lie side by side are no conflict (`beside`): the very lines that it wrote still stand there,
 * and whoever changed the next one said nothing of them. A change without lines of its own, such as one that only removed
 * some, has no place but between others, so that it must not touch anything.
 */
import { type Change, changesBetween } from './line-diff.ts';
import { splitLines } from './patch-apply.ts';

export interface MergeHow {
  /** Whether lines beside each other may be changed by both sides. */
  readonly beside?: boolean;
}

/** The merged bytes (latin1); undefined when the sides disagree. */
export function mergeLines(
  baseText: string,
  oursText: string,
  theirsText: string,
  { beside = false }: MergeHow = {},
): string | undefined {
  const [base, ours, theirs] = [splitLines(baseText), splitLines(oursText), splitLines(theirsText)];
  const left = changesBetween(base, ours);
  const right = changesBetween(base, theirs);
  const out: string[] = [];
  let [at, toOurs, toTheirs] = [0, 0, 0];
  while (left.length > 0 || right.length > 0) {
    const region = takeRegion(left, right, beside ? isOverlapping : isTouching);
    const inOurs = ours.slice(region.start + toOurs, region.end + toOurs + region.oursGrew);
    const inTheirs = theirs.slice(
      region.start + toTheirs,
      region.end + toTheirs + region.theirsGrew,
    );
    const same = inOurs.join('') === inTheirs.join('');
    if (region.fromBoth && !same) return undefined;
    out.push(
      ...base.slice(at, region.start),
      ...(region.byTheirs && !region.fromBoth ? inTheirs : inOurs),
    );
    at = region.end;
    toOurs += region.oursGrew;
    toTheirs += region.theirsGrew;
  }
  return [...out, ...base.slice(at)].join('');
}

interface Region {
  readonly start: number;
  readonly end: number;
}

const isTouching = ({ a }: Change, { end }: Region) => a <= end;

/** Lines beside each other do not overlap; what is inserted there has lines on neither side of the base. */
function isOverlapping({ a, aEnd }: Change, { start, end }: Region): boolean {
  return a < end || (a === end && (a === aEnd || start === end));
}

/** Takes the next changes of either side that belong together, as one region of the base. */
function takeRegion(
  left: Change[],
  right: Change[],
  isTogether: (change: Change, region: Region) => boolean,
) {
  const grew = (change: Change) => change.bEnd - change.b - (change.aEnd - change.a);
  const leftFirst = right.length === 0 || (left.length > 0 && left[0]!.a <= right[0]!.a);
  const first = (leftFirst ? left : right)[0]!;
  const region = { start: first.a, end: first.aEnd, oursGrew: 0, theirsGrew: 0 };
  let [byOurs, byTheirs] = [false, false];
  for (;;) {
    if (left.length > 0 && isTogether(left[0]!, region)) {
      region.end = Math.max(region.end, left[0]!.aEnd);
      region.oursGrew += grew(left.shift()!);
      byOurs = true;
    } else if (right.length > 0 && isTogether(right[0]!, region)) {
      region.end = Math.max(region.end, right[0]!.aEnd);
      region.theirsGrew += grew(right.shift()!);
      byTheirs = true;
    } else return { ...region, byTheirs, fromBoth: byOurs && byTheirs };
  }
}
