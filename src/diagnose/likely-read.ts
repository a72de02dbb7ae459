/**
 * Which of several files that hold the same value is really read. One that other files mention is, before one that nothing
 * mentions. Files of agents stand together: the folder in which
 * other agents have theirs is where they are read from, and a copy stands apart. Names that say "a copy" only decide
 * between equals, and after them the shorter path. Pure.
 */
import { posix } from 'node:path';
import { OWNER_RANK } from './ownership.ts';
import { isMentioned, isUnused } from './references.ts';
import { settingOwner } from './setting-owner.ts';
import type { Cause, Evidence, Failure, Setting } from './types.ts';
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

/**
 * Without constants that nothing uses, where another explains it as well that something does. Alone such a constant may
 * be read by files that are not looked at.
 */
export function usedOnly<T extends Cause>(
  causes: readonly T[],
  { words = new Map() }: Pick<Evidence, 'words'>,
): readonly T[] {
  const isIdle = ({ subject }: T) => subject.kind === 'setting' && isUnused(subject, words);
  const idle = new Set(causes.filter(isIdle));
  if (idle.size === 0) return causes;
  return causes.filter(
    (one) =>
      !idle.has(one) ||
      !causes.some(
        (other) =>
          !idle.has(other) &&
          other.subject.kind === 'setting' &&
          other.layer === one.layer &&
          other.confidence === one.confidence,
      ),
  );
}

/**
 * Whether it is a copy of a value that somebody changed since the window began, in a file that is as much this agent's and tool's.
 * Some of the failures come from before that change, and the copy still says what the other said then: it would be blamed for what
 * is mended already.
 */
export function isLeftBehind(
  subject: Cause['subject'],
  failure: Failure,
  evidence: Pick<Evidence, 'settings' | 'commits' | 'window' | 'words'>,
): boolean {
  if (subject.kind !== 'setting') return false;
  const { settings, commits, window } = evidence;
  const since = commits.filter(({ atMs }) => atMs >= window.fromMs);
  const changed = new Set(since.flatMap(({ paths }) => paths));
  if (changed.size === 0 || changed.has(subject.file)) return false;
  const key = subject.path.join('\n');
  const alike = settings.filter(({ path }) => path.join('\n') === key);
  const rankOf = (one: Setting) => OWNER_RANK.indexOf(settingOwner(one, failure, evidence));
  const own = Math.max(...alike.filter(({ file }) => file === subject.file).map(rankOf));
  return alike.some(
    (one) => changed.has(one.file) && one.value !== subject.value && rankOf(one) >= own,
  );
}
