/** Formats numbers and foreign text for sentences. */
import type { SettingValue } from '../facts/index.ts';

/** Control, invisible and direction-changing characters, and halves of characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** One line that hides nothing, at most `max` long. */
export function shown(text: string, max = 200): string {
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/gu, ' ')
    .replace(HIDDEN, '')
    .trim();
  if (line.length <= max) return line;
  return `${line
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** Hidden characters written out, so that a reader sees what a machine would read. */
export function unhidden(text: string, kept: readonly string[] = []): string {
  return text.replace(HIDDEN, (one) => {
    if (kept.includes(one)) return one;
    return `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** `4 320` */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** `9.5 %` */
export function percent(share: number): string {
  const value = share * 100;
  const digits = value < 0.1 ? 3 : 1;
  return `${Number(value.toFixed(digits))} %`;
}

/** `800`, `true`, `"gpt-5"`: a setting's value in a sentence. */
export function valueText(value: SettingValue): string {
  return typeof value === 'string' ? JSON.stringify(shown(value, 60)) : String(value);
}
