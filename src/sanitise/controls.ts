/** Signs that are not seen: an invisible one inside a key would hide it from every rule. */
import type { Edit } from './types.ts';

/** ANSI sequences whole, so that their letters do not stay behind; then every control and format sign. */
const ESCAPE = String.fromCharCode(0x1b);
const CONTROLS = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|[@-Z\\\\-_])|(?:(?![\\n\\t${ESCAPE}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}])+|${ESCAPE}`,
  'gu',
);
const PLAIN = /^[\n\t -~]*$/;

export function controlsOf(text: string): Edit[] {
  if (PLAIN.test(text)) return [];
  return Array.from(text.matchAll(CONTROLS), ({ 0: { length }, index }) => {
    return { kind: 'control' as const, start: index, end: index + length, mark: '' };
  });
}
