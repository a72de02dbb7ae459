/**
 * When a changed number tunes, and when it grants (rule 8). A number that was one before and stays one is a
 * setting of something that was there: a timeout, a size, a threshold. It grants when it is a switch, an
 * identity, an address or a file's mode, or when it is among permissions and measures nothing. One that leaves 0 may be a
 * switch: it is an amount where it becomes something other than 1, or where its key has such numbers elsewhere in
 * the file.
 */
import { isSized, saysActs, saysTime } from './amounts.ts';
import { isItem, isQuantity, type ValueChange, wordsOf } from './structure-changes.ts';

/** As a key's last word they say what the number counts. */
const UNITS = new Set(
  'b bytes chars d days gb gib h hours kb kib mb mib millis milliseconds min mins minutes ms pct percent s sec seconds secs tokens'.split(
    ' ',
  ),
);
const MEASURES = new Set([
  ...UNITS,
  ...'again attempts backoff batch budget burst calls capacity chunk concurrency count deadline delay depth factor interval items k length limit limits max min pages parallel parallelism patience percent priority qps rate ratio repeat repeats results retries retry rpm rps size steps temperature threshold timeout timeouts tpm tries ttl turns wait weight window'.split(
    ' ',
  ),
]);
/** Their numbers are ranks: a higher one may do more. */
const RANKS = new Set(
  'class clearance grade group level mode policy profile rank role tier trust user'.split(' '),
);
const FILE_MODES = new Set(['chmod', 'umask']);

export interface NumberPlace {
  /** How many components are below the key of permissions; 0 for the key itself. */
  readonly depth: number;
  /** That key itself grants permissions (`permissions`, `allow`) and is not merely a place of tools. */
  readonly givesRights: boolean;
  /** What the number belongs to was there before. */
  readonly known: boolean;
  /** The key only says that something is allowed, and names no permission. */
  readonly allowsOnly: boolean;
}

function isMeasure(key: string): boolean {
  return wordsOf(key).some((word) => MEASURES.has(word));
}

export function endsWithUnit(key: string): boolean {
  return UNITS.has(wordsOf(key).at(-1) ?? '');
}

/** A map's number that stays a number. An item of a list is an entry, whatever it is. */
export function staysNumber({ kind, path, from, to }: ValueChange): boolean {
  return kind === 'changed' && !isItem(path.at(-1)!) && isQuantity(from) && isQuantity(to);
}

/** A number under a key that says what it counts, and one before and after. */
export function isMeasured(change: ValueChange): boolean {
  return staysNumber(change) && (isMeasure(change.path.at(-1)!) || isMeasuredAbove(change));
}

/** `timeouts: { server: 500 }`: the key above says what is counted. */
export function isMeasuredAbove({ path }: ValueChange): boolean {
  const above = path.at(-2);
  return above !== undefined && !isItem(above) && isMeasure(above);
}

/** `file_mode: 0644`, `umask: 077`. */
export function isFileMode({ path, from, to }: ValueChange): boolean {
  const words = wordsOf(path.at(-1)!);
  if (words.some((word) => FILE_MODES.has(word))) return true;
  const isOctal = (value: ValueChange['to']) => /^(?:0o?)?[0-7]{3,4}$/.test(String(value));
  return words.at(-1) === 'mode' && (isOctal(from) || isOctal(to));
}

/** `runAsUser: 0`; not `requests_per_user: 5`, and not `wait_for_user: 30s`. */
export function isIdentity({ path, from, to }: ValueChange): boolean {
  if (isSized({ from, to })) return false;
  const words = wordsOf(path.at(-1)!);
  const isOwner = /^(?:user|group|owner)$/.test(words.at(-1) ?? '');
  return isOwner && isQuantity(to) && !words.some((word) => word === 'per' || MEASURES.has(word));
}

export function isTuning(
  change: ValueChange,
  place: NumberPlace,
  numbersAt: (key: string) => readonly number[],
): boolean {
  const { depth, givesRights, known, allowsOnly } = place;
  const { path, from, to } = change;
  const key = path.at(-1)!;
  if (isItem(key) || !isQuantity(to) || isFileMode(change)) return false;
  if (change.kind === 'added') {
    // `network.timeout_ms: 900`: a measure with its unit, beside what was there, is nobody's name.
    if (depth === 1 && !givesRights && endsWithUnit(key) && !isZero(to)) return true;
    return depth > 1 && known && (isMeasure(key) || !isSwitchNumber(to));
  }
  if (!staysNumber(change)) return false;
  const isOfRight = !allowsOnly && (depth === 0 || givesRights);
  if (isSized(change) && !isZero(to) && !isOfRight) return true;
  if (depth === 0 && isAmountByName(change, allowsOnly)) return true;
  if (depth === 0 || (depth === 1 && givesRights))
    return (endsWithUnit(key) && !isZero(to)) || (!givesRights && isMeasuredAbove(change));
  return isMeasure(key) || !isZero(from) || isAmount(change, numbersAt);
}

/** `admin_wait: 5` to `9`. What leaves 0 or becomes it may be switched. */
function isAmountByName({ path, from, to }: ValueChange, allowsOnly: boolean): boolean {
  const words = wordsOf(path.at(-1)!);
  return !isZero(from) && !isZero(to) && (saysTime(words) || (allowsOnly && saysActs(words)));
}

/** Leaving 0: a switch has neither 2 nor 0.5, here or where the file has the same key. */
function isAmount(
  { path, to }: ValueChange,
  numbersAt: (key: string) => readonly number[],
): boolean {
  const key = path.at(-1)!;
  if (wordsOf(key).some((word) => RANKS.has(word))) return false;
  return [Number.parseFloat(String(to)), ...numbersAt(key)].some(
    (one) => one > 1 || !Number.isInteger(one),
  );
}

export function isZero(value: ValueChange['to']): boolean {
  return typeof value === 'number' ? value === 0 : !/[1-9]/.test(String(value));
}

function isSwitchNumber(value: ValueChange['to']): boolean {
  return value === 0 || value === 1;
}
