/** Writes values in their present style, so that YAML 1.1 and 1.2 read them as the same. */
import { quantityOf, quantityText } from '../../quantity.ts';
import type { Declined, DocumentValue, Scalar } from '../../types.ts';

const WORD_PAIRS: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['on', 'off'],
  ['y', 'n'],
];

export function writeYaml(value: DocumentValue, to: Scalar): string | Declined {
  if (typeof to === 'boolean') return writeSwitch(value, to);
  if (typeof to === 'number') {
    if (value.value === null) return String(to);
    const written = quantityText(quantitySource(value), to);
    if (written === undefined)
      return { declined: 'The number is written in a form that Hone cannot write.' };
    return typeof value.value === 'string' ? quoted(value, written) : written;
  }
  return quoted(value, String(to));
}

function quantitySource({ value, text }: DocumentValue): string {
  return typeof value === 'string' ? value : text;
}

/** `Yes` becomes `No`, whether its reader takes it as true or as a string. */
function writeSwitch({ value, text, style }: DocumentValue, to: boolean): string | Declined {
  if (value === null) return String(to);
  const pair = style === 'plain' ? pairOf(text) : undefined;
  if (pair === undefined)
    return { declined: 'The value is a string that is neither true nor false.' };
  return inCaseOf(text, pair[to ? 0 : 1]);
}

function pairOf(text: string) {
  return WORD_PAIRS.find((words) => words.includes(text.toLowerCase()));
}

function inCaseOf(old: string, word: string): string {
  if (old === old.toUpperCase() && old.length > 1) return word.toUpperCase();
  return /^[A-Z]/.test(old) ? word[0]!.toUpperCase() + word.slice(1) : word;
}

function quoted({ style, text }: DocumentValue, to: string): string {
  if (style === 'single' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(to))
    return `'${to.replaceAll("'", "''")}'`;
  return style === 'plain' && isPlainHere(text, to) ? to : doubleQuoted(to);
}

/** Unquoted only if every reader takes it as a string, or as the kind of word that it replaces. */
function isPlainHere(old: string, to: string): boolean {
  if (pairOf(to) !== undefined) return pairOf(old) !== undefined;
  // `1_200` is a number in YAML 1.1 and a string in 1.2, and so is its replacement.
  const [before, next] = [quantityOf(old), quantityOf(to)];
  if (next !== null) return before !== null && (next.unit === null) === (before.unit === null);
  return /^[a-z_/][\w ./:@+-]*$/i.test(to) && !/: |[: ]$/.test(to) && !/^null$/i.test(to);
}

function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
