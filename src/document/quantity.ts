/** Numbers as people write them, with their units: read, and written again in the same style. */
import type { Quantity } from './types.ts';

const CHARS_MAX = 40;

/** From long to short: the order in which `1h30m` names them. */
const TIME_UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];
const UNITS: ReadonlySet<string> = new Set(
  [
    'ns us µs ms msec msecs millis millisecond milliseconds s sec secs second seconds',
    'm min mins minute minutes h hr hrs hour hours d day days w week weeks',
    'B kB KB MB GB TB KiB MiB GiB TiB k K M G T Ki Mi Gi Ti bytes %',
  ].flatMap((units) => units.split(' ')),
);

const NUMBER =
  /^[-+]?(?:0x[\da-fA-F]+|0o[0-7]+|(?:(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)/;
const PARTS = /^(?:\d{1,9}(?:ms|[dhms])){2,5}$/;
/** ISO 8601. Of fractions only those of plain seconds: readers differ in which others they take. */
const ISO = /^PT(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?$/;
const ISO_SECONDS = /^PT(\d{1,9}\.\d{1,9})S$/;

/** Null for any other text, and for `017`, which different readers take as different numbers. */
export function quantityOf(text: string): Quantity | null {
  if (text.length > CHARS_MAX) return null;
  if (ISO.test(text)) return durationOf(isoParts(text));
  if (PARTS.test(text)) return durationOf(text);
  const [, seconds] = ISO_SECONDS.exec(text) ?? [];
  if (seconds !== undefined) return { amount: Number(seconds), unit: 's' };
  const [number] = NUMBER.exec(text) ?? [];
  if (number === undefined) return null;
  const written = text.slice(number.length).replace(/^ /, '');
  // `Minutes` is a word; `M` and `m` are not the same.
  const unit = written.length < WORD_CHARS_MIN ? written : written.toLowerCase();
  const isUnit = UNITS.has(written) || UNITS.has(unit);
  if (written === '' ? number !== text : !isUnit) return null;
  if (written === '') return { amount: amountOf(number), unit: null };
  return { amount: amountOf(number), unit: UNITS.has(written) ? written : unit };
}

const WORD_CHARS_MIN = 3;

/** `PT1M30S` as `1m30s` */
const isoParts = (text: string) => text.slice(2).toLowerCase();

/** The number in the style of the old text, with its unit. Undefined if it cannot be written that way. */
export function quantityText(old: string, amount: number): string | undefined {
  if (!Number.isFinite(amount) || quantityOf(old) === null) return undefined;
  if (ISO.test(old)) {
    const parts = durationText(isoParts(old), amount);
    return parts && `PT${parts.toUpperCase()}`;
  }
  if (PARTS.test(old)) return durationText(old, amount);
  const [, seconds] = ISO_SECONDS.exec(old) ?? [];
  if (seconds !== undefined) return amount < 0 ? undefined : `PT${numberText(seconds, amount)}S`;
  const [number] = NUMBER.exec(old) ?? [];
  if (number === undefined) return undefined;
  const written = numberText(number, amount);
  return written && written + old.slice(number.length);
}

function amountOf(number: string): number {
  const plain = number.replaceAll('_', '');
  const isNegative = plain.startsWith('-');
  const amount = Number(plain.replace(/^[-+]/, ''));
  return isNegative ? -amount : amount;
}

function numberText(old: string, amount: number): string | undefined {
  const [, prefix = '', digits = ''] = /^(0[xo])(.*)$/.exec(old) ?? [];
  if (prefix !== '') {
    if (!Number.isSafeInteger(amount) || amount < 0) return String(amount);
    const text = amount.toString(prefix === '0x' ? 16 : 8);
    return prefix + (/[A-F]/.test(digits) ? text.toUpperCase() : text);
  }
  const sign = old.startsWith('+') && amount > 0 ? '+' : '';
  const power = /[eE]\+?/.exec(old)?.[0];
  if (power !== undefined) {
    const [factor = '', exponent = ''] = amount.toExponential().split('e');
    return `${sign}${pointed(old, factor)}${power.replace('+', '')}${power.includes('+') ? exponent : exponent.replace('+', '')}`;
  }
  const text = pointed(old, Object.is(amount, -0) ? '-0' : String(amount));
  const grouped = old.includes('_') ? text.replace(/^-?\d+/, grouping) : text;
  return sign + grouped;
}

/** `1.0` is a float to its reader, and so is its replacement. */
function pointed(old: string, text: string): string {
  return old.includes('.') && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

const grouping = (digits: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, '_');

/** In the smallest unit that is named. */
function durationOf(text: string): Quantity | null {
  const parts = partsOf(text);
  const smallest = parts.at(-1)!;
  const isOrdered = parts.every(({ ms }, at) => at === 0 || ms < parts[at - 1]!.ms);
  if (!isOrdered) return null;
  const totalMs = parts.reduce((sum, { count, ms }) => sum + count * ms, 0);
  return { amount: totalMs / smallest.ms, unit: smallest.unit };
}

function durationText(old: string, amount: number): string | undefined {
  if (!Number.isSafeInteger(amount) || amount < 0) return undefined;
  const parts = partsOf(old);
  const smallest = parts.at(-1)!;
  let left = amount;
  const written = parts.map(({ unit, ms }) => {
    const size = ms / smallest.ms;
    const count = Math.floor(left / size);
    left -= count * size;
    return `${count}${unit}`;
  });
  return written.join('');
}

function partsOf(text: string) {
  return [...text.matchAll(/(\d+)(ms|[dhms])/g)].map(([, count, unit]) => ({
    count: Number(count),
    unit: unit!,
    ms: TIME_UNITS.find(([name]) => name === unit)![1],
  }));
}
