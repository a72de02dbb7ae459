/** Text of others on a terminal: no control characters, no tricks of direction, what is hidden is visible. */
import { visibleForm } from '../text/index.ts';
import { minute } from './quantities.ts';

/** One line. */
export function shown(text: string): string {
  return visibleForm(text.replace(/\s+/g, ' '));
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

/** One line of prose, with its times as people write them. */
export const shownProse = (text: string): string => shown(text.replace(INSTANT, minute));

/** Several lines, each shown as it is; for diffs and other text whose lines matter. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownLine).join('\n');
}

/** Tabs stay, and another end of line is seen: a diff may change nothing else. */
function shownLine(line: string): string {
  return line
    .split('\r')
    .map((part) => part.split('\t').map(visible).join('\t'))
    .join('⟨U+000D CARRIAGE RETURN⟩');
}

const visible = (text: string) => visibleForm(text);
