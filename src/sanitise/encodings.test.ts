import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitise } from './sanitise.ts';
import { FORMS } from './secrets.test-support.ts';

const RULES = { allowedDomains: ['github.com'], allowedPaths: [], redactUuids: false };
const clean = (text: string) => sanitise(text, RULES).text;
const hex = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');
const each = (text: string, write: (sign: string) => string) => [...text].map(write).join('');

/** The whole of a text in another writing. */
const WRITINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64, twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in pairs': (text) => each(text, (sign) => `${hex(sign)} `).trim(),
  'decimal entities': (text) => each(text, (sign) => `&#${sign.charCodeAt(0)};`),
  'hexadecimal entities': (text) => each(text, (sign) => `&#x${hex(sign)};`),
  percent: (text) => each(text, (sign) => `%${hex(sign)}`),
  'percent, twice': (text) => each(text, (sign) => `%25${hex(sign)}`),
  'unicode escapes': (text) => each(text, (sign) => `\\u00${hex(sign)}`),
  'hexadecimal escapes': (text) => each(text, (sign) => `\\x${hex(sign)}`),
  'octal escapes': (text) => each(text, (sign) => `\\${sign.charCodeAt(0).toString(8)}`),
  'full-width': (text) => each(text, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'look-alikes': (text) =>
    text.replace(
      /[aceopsx]/g,
      (sign) => ({ a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', s: 'ѕ', x: 'х' })[sign]!,
    ),
  'zero width': (text) => each(text, (sign) => `${sign}\u200b`),
  'selectors between': (text) => each(text, (sign) => `${sign}\ufe00`),
  'two literals': (text) => `'${text.slice(0, 12)}' + '${text.slice(12)}'`,
};
const NAMES = ['GitHub token', 'Stripe key', 'Anthropic key', 'GitLab token'];

test.each(Object.entries(WRITINGS))('no eight signs of a key stay in %s', (_, write) => {
  const keys = fc.oneof(...NAMES.map((name) => FORMS[name]!));
  fc.assert(
    fc.property(keys, ({ text }) => {
      const written = write(text);
      const shown = clean(`it said: ${written} and stopped`);
      for (let at = 16; at + 8 <= written.length; at++) {
        expect(shown).not.toContain(written.slice(at, at + 8));
      }
      expect(clean(shown)).toBe(shown);
    }),
    { numRuns: 40 },
  );
});

test('a look-alike between the signs that join a key’s parts hides nothing', () => {
  expect(clean('it said: gldt-р-Zk29sQpLm3ZtR8bYc1 and stopped')).not.toContain('Zk29');
});

test('what is written in another way and holds nothing stays as it is', () => {
  for (const write of Object.values(WRITINGS)) {
    const text = `it said: ${write('a plain note')} and stopped`;
    expect(clean(text)).toBe(text.replace(/\u200b/g, ''));
  }
});
