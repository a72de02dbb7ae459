/**
 * White space that is not a space, and space that pushes text out of sight. Typographic spaces are
 * common and only told; a separator that splits lines for some programs and not for others, or a
 * mixture of several kinds, is not.
 */
import { hexPoint, hiddenName, scriptOf } from './code-points.ts';
import { pointAfter, pointBefore } from './invisible.ts';
import type { Report } from './report.ts';

/** Text after this many spaces on one line lies outside every editor's window. */
const PUSHED_SPACES_MIN = 200;
const IDEOGRAPHIC_SPACE = 0x3000;
const EAST_ASIAN = new Set(['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']);

export function reportSpace(
  text: string,
  run: { start: number; end: number },
  report: Report,
): void {
  const kinds = new Set<number>();
  for (let at = run.start; at < run.end && kinds.size < 3; at += 1) kinds.add(text.charCodeAt(at));
  const point = text.charCodeAt(run.start);
  const east =
    EAST_ASIAN.has(scriptOf(pointBefore(text, run.start))) ||
    EAST_ASIAN.has(scriptOf(pointAfter(text, run.end)));
  report.mark(run.start, run.end);
  const name = `${hexPoint(point)} ${hiddenName(point)}`;
  const count = run.end - run.start;
  if (kinds.has(0x2028) || kinds.has(0x2029)) {
    report.add('odd_space', 'suspicious', run, `${name}: ends a line for some programs only`);
  } else if (kinds.size > 1 && count >= 4) {
    report.add(
      'odd_space',
      'suspicious',
      run,
      `${count} spaces of several kinds can carry a hidden message`,
    );
  } else if (point === IDEOGRAPHIC_SPACE && !east) {
    report.add('odd_space', 'suspicious', run, `${name}: an East Asian space in other text`);
  } else if (point === 0x1680) {
    report.add('odd_space', 'suspicious', run, `${name}: drawn as a line or as nothing`);
  } else {
    report.add('odd_space', 'info', run, `${name}: looks like a space and is none`);
  }
}

export function reportPushedText(text: string, report: Report): void {
  // `{200,}` would try every start of a shorter run: 200 steps for each character of the text.
  const gap = /[ \t\u00a0\u2000-\u200a\u3000]{2,}/g;
  for (let match = gap.exec(text); match !== null; match = gap.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    const next = text.charCodeAt(end);
    if (end - start < PUSHED_SPACES_MIN) continue;
    // A wide table pads its cells.
    if (end >= text.length || next === 0x0a || next === 0x0d || next === 0x7c) continue;
    report.add(
      'pushed_text',
      'suspicious',
      { start, end },
      `${end - start} spaces push the text after them out of sight`,
    );
  }
}
