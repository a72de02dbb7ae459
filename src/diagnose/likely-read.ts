/**
 * Which of several files that hold the same value is really read. One that other files mention is, before one that nothing
 * mentions. Files of agents stand together: the folder in which
 * other agents have theirs is where they are read from, and a copy stands apart. Names that say "a copy" only decide
 * between equals, and after them the shorter path. Pure.
 */
import { posix } from 'node:path';
import { isMentioned } from './references.ts';
import type { Cause, Evidence } from './types.ts';
import { wordsOf } from './wording.ts';

const COPY_WORDS =
  /^(?:examples?|samples?|templates?|old|archived?|backups?|bak|copy|copies|deprecated|legacy|drafts?|docs?|tests?|fixtures?|orig|previous|unused)$/;

export function likelyReadFirst<T extends Cause>(
  causes: readonly T[],
  { settings, words = new Map() }: Pick<Evidence, 'settings' | 'words'>,
): T[] {
  const beside = Map.groupBy(new Set(settings.map(({ file }) => file)), (file) =>
    posix.dirname(file),
  );
  const order = (cause: Cause): readonly number[] => {
    const file = 'file' in cause.subject ? (cause.subject.file ?? '') : '';
    const neighbours = beside.get(posix.dirname(file))?.length ?? 0;
    const isCopy = file
      .split('/')
      .some((part) => wordsOf(part).some((word) => COPY_WORDS.test(word)));
    return [
      -Number(isMentioned(file, words)),
      -neighbours,
      Number(isCopy),
      file.split('/').length,
      file.length,
    ];
  };
  return [...causes].sort((a, b) => compare(order(a), order(b)));
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}
