/**
 * Foreign text in Markdown. Titles, file names, diffs and messages are attacker-controlled: none of
 * them may become a heading, a link, HTML, another table cell, or end a fence.
 */
import { unhidden } from './wording.ts';

/** One line of text that means nothing to Markdown. */
export function inline(text: string): string {
  const plain = unhidden(text.replace(/\s+/gu, ' ').trim());
  return (
    plain
      .replace(/[\\`*[\]|~$]/g, '\\$&')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // Between letters and digits an underscore means nothing, and `timeout_ms` stays readable.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      // No address becomes a link by itself.
      .replace(/:\/\//g, '&#58;//')
      .replace(/\bwww\./gi, (match) => `${match.slice(0, 3)}&#46;`)
  );
}

/** A line that does not begin a list, heading or rule, not even inside a list. */
export function line(text: string): string {
  // A backslash before a digit would stay visible, so the character after the digits is escaped.
  return inline(text).replace(/^(?:[-+#=]|\d+(?=[.)]))/, (start) =>
    /^\d/.test(start) ? `${start}\\` : `\\${start}`,
  );
}

/** Paragraphs, a line each. */
export function paragraphs(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u).map(line);
  return lines.filter((one) => one !== '').join('\n\n');
}

const FENCED_CHARS_MAX = 100_000;

/** In a fence longer than any run of backticks inside, with hidden characters written out. */
export function fenced(text: string, language: string): string {
  const cut = text.length > FENCED_CHARS_MAX;
  const body = unhidden(text.slice(0, FENCED_CHARS_MAX).toWellFormed(), ['\n', '\t']);
  const longest = [...body.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const end = body === '' || body.endsWith('\n') ? '' : '\n';
  const note = cut ? `\n\nOnly the first ${FENCED_CHARS_MAX} characters are shown here.` : '';
  return `${fence}${language}\n${body}${end}${fence}${note}`;
}
