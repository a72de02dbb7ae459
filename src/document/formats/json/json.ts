/** JSON, and JSON with comments. A comment, an extra comma or a byte order mark in a `.json` file is a problem, but it is read. */
import { quantityText } from '../../quantity.ts';
import type { Declined, DocumentValue, Format, Scalar } from '../../types.ts';
import { parseJson } from './parse.ts';

export const json: Format = {
  name: 'json',
  extensions: ['json'],
  isProse: false,
  parse: parseJson,
  write: writeJson,
};

export const jsonc: Format = {
  name: 'jsonc',
  extensions: ['jsonc'],
  isProse: false,
  parse: (text) => {
    const parsed = parseJson(text);
    return { ...parsed, problems: parsed.problems.filter(({ code }) => code !== 'not_strict') };
  },
  write: writeJson,
};

export function writeJson({ value, text, quantity }: DocumentValue, to: Scalar): string | Declined {
  if (typeof to !== 'number' || value === null || quantity === null) {
    if (typeof to === 'boolean' && typeof value === 'string')
      return { declined: 'The value is a string that is neither true nor false.' };
    return JSON.stringify(to);
  }
  const written = quantityText(typeof value === 'string' ? value : text, to);
  if (written === undefined)
    return { declined: 'The number is written in a form that Hone cannot write.' };
  return typeof value === 'string' ? JSON.stringify(written) : written;
}
