/** Values in the style that stands there, so that readers of YAML 1.1 and of 1.2 take them for the same. */
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

/** `Yes` becomes `No`, whether its reader knows it as true or as a text. */
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

/** Without quotes only what every reader takes for a text, or for the kind of word that stood there. */
function isPlainHere(old: string, to: string): boolean {
  if (pairOf(to) !== undefined) return pairOf(old) !== undefined;
  // `1_200` is a number to readers of 1.1 and a text to those of 1.2, and so is what comes after it.
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
