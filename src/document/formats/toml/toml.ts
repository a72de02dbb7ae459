/** TOML 1.0. Tables may be written in any order and in pieces; what belongs together is one map. */
import { quantityText } from '../../quantity.ts';
import type { Declined, DocumentValue, Format, Scalar } from '../../types.ts';
import { parseToml } from './parse.ts';

export const toml: Format = {
  name: 'toml',
  extensions: ['toml'],
  isProse: false,
  parse: parseToml,
  write: writeToml,
};

function writeToml(value: DocumentValue, to: Scalar): string | Declined {
  if (to === null) return { declined: 'TOML has no null.' };
  if (typeof value.value === 'string' && value.style === 'plain')
    return { declined: 'The value is a date or a number that Hone does not write.' };
  if (typeof to === 'string') return typeof value.value === 'string' ? quoted(value, to) : unlike();
  if (typeof to === 'boolean') return typeof value.value === 'boolean' ? String(to) : unlike();
  return writeNumber(value, to);
}

function writeNumber(value: DocumentValue, to: number): string | Declined {
  const { quantity, text } = value;
  if (quantity === null) return unlike();
  const isText = typeof value.value === 'string';
  const written = quantityText(isText ? (value.value as string) : text, to);
  if (written === undefined)
    return { declined: 'The number is written in a form that Hone cannot write.' };
  return isText ? quoted(value, written) : written;
}

function unlike(): Declined {
  return { declined: 'The new value is of another kind than the old one.' };
}

/** What a literal string cannot hold is written as a basic one. */
function quoted({ style }: DocumentValue, to: string): string | Declined {
  if (!to.isWellFormed()) return { declined: 'The text is not sound Unicode.' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
  if (style === 'single' && !/[\u0000-\u0008\u000a-\u001f\u007f']/.test(to)) return `'${to}'`;
  return JSON.stringify(to).replaceAll('\u007f', '\\u007f');
}
