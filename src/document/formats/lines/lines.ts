/**
 * `KEY=value` line by line: environment files, Java properties, INI. Every value is a text, as it is to their readers. Dots in
 * keys and sections (`[tools.search]`) make maps. Readers differ much here. A value that not all of them read alike (escapes,
 * references, signs of comments) is known by its bytes and never written; a text whose lines cannot be told apart (values of
 * several lines, indented ones) is refused.
 */
import { quantityText } from '../../quantity.ts';
import type { Declined, DocumentValue, Format, Scalar } from '../../types.ts';
import { isBare, parseLines } from './parse.ts';

export const lines: Format = {
  name: 'lines',
  extensions: ['env', 'properties', 'ini', 'cfg', 'conf'],
  isProse: false,
  isUntyped: true,
  parse: parseLines,
  write: writeLine,
};

const SWITCHES: readonly (readonly [string, string])[] = [
  ['false', 'true'],
  ['False', 'True'],
  ['FALSE', 'TRUE'],
  ['no', 'yes'],
  ['off', 'on'],
];

function writeLine(value: DocumentValue, to: Scalar): string | Declined {
  const now = String(value.value);
  if (to === null) return { declined: 'Such a file has no null.' };
  if (typeof to === 'boolean') {
    const words = SWITCHES.find((pair) => pair.includes(now));
    if (words === undefined) return { declined: 'The value is not a switch.' };
    return quoted(value, words[Number(to)]!);
  }
  const text = typeof to === 'number' ? quantityText(now, to) : to;
  if (text === undefined)
    return { declined: 'The number is written in a form that Hone cannot write.' };
  return quoted(value, text);
}

function quoted({ style }: DocumentValue, text: string): string | Declined {
  const isPlain = style === 'plain' ? isBare(text) : !/["'\\$`\p{Cc}\u2028\u2029]/u.test(text);
  if (!isPlain) return { declined: 'The text cannot be written there in the form that is used.' };
  return style === 'plain' ? text : style === 'single' ? `'${text}'` : `"${text}"`;
}
