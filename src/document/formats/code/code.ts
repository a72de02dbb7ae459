/**
 * Constants in code: what a file declares outside of functions and writes down as it is (`const LIMITS = { … }`, a
 * class's fields, the options given to one call). Everything else of a program is nobody's setting and is not seen.
 */
import { quantityText } from '../../quantity.ts';
import type { Declined, DocumentValue, Format, Scalar } from '../../types.ts';
import { javascript } from './javascript.ts';
import type { Language } from './language.ts';
import { python } from './python.ts';
import { parseCode } from './read-constants.ts';

function formatOf<N>(language: Language<N>): Format {
  return {
    name: language.name,
    extensions: language.extensions,
    isProse: false,
    isCode: true,
    parse: (text) => parseCode(text, language),
    write: (value, to) => writeCode(value, to, language),
  };
}

export const CODE_FORMATS: readonly Format[] = [formatOf(javascript), formatOf(python)];

function writeCode(
  value: DocumentValue,
  to: Scalar,
  { words }: Pick<Language<unknown>, 'words'>,
): string | Declined {
  if (typeof to === 'number') return writeNumber(value, to);
  if (typeof to === 'string') return typeof value.value === 'string' ? quoted(value, to) : unlike();
  if (to === null || typeof value.value !== 'boolean') return unlike();
  return words[`${to}`];
}

function writeNumber(value: DocumentValue, to: number): string | Declined {
  if (value.quantity === null) return unlike();
  const isText = typeof value.value === 'string';
  const written = quantityText(isText ? (value.value as string) : value.text, to);
  if (written === undefined)
    return { declined: 'The number is written in a form that Hone cannot write.' };
  return isText ? quoted(value, written) : written;
}

function unlike(): Declined {
  return { declined: 'The new value is of another kind than the old one.' };
}

/** With escapes that both languages have. */
function quoted({ style }: DocumentValue, to: string): string | Declined {
  if (!to.isWellFormed()) return { declined: 'The text is not sound Unicode.' };
  const inner = JSON.stringify(to)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u2028\u2029]/g, (sign) => `\\u${hex(sign)}`);
  return style === 'single'
    ? `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : `"${inner}"`;
}

function hex(sign: string): string {
  return sign.charCodeAt(0).toString(16).padStart(4, '0');
}
