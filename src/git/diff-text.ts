/**
 * The text of a diff, the same from git and from memory. A diff is a string here, so a file whose shown
 * lines are not UTF-8 is shown as git shows binary files, in place of lines that nobody could apply; and
 * hunks carry no function name, which git cuts after 80 bytes, even within a character.
 */

import { unifiedHunks } from './line-diff.ts';
import { type Entry, noId, type ObjectFormat } from './objects.ts';

/** Of git's output as bytes (latin1). Lines of a file never begin with `diff --git ` or `@@`. */
export function diffText(bytes: string): string {
  const sections = bytes.split(/^(?=diff --git )/m);
  return sections
    .map((section) => sectionText(section.replace(/^(@@ [^@\n]* @@).*$/gm, '$1')))
    .join('');
}

function sectionText(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1');
  const text = buffer.toString('utf8');
  if (Buffer.from(text).equals(buffer)) return text;
  const names = /^--- (.*?)\t?\n\+\+\+ (.*?)\t?\n/m.exec(bytes)!;
  return `${bytes.slice(0, names.index)}Binary files ${names[1]} and ${names[2]} differ\n`;
}

/** One file on one side of a diff; bytes as latin1. */
export interface DiffSide extends Entry {
  readonly bytes: string;
}

/** The section of one path, as git writes it; undefined stands for a file that is not there. */
export function diffSection(
  format: ObjectFormat,
  path: string,
  sides: readonly [DiffSide | undefined, DiffSide | undefined],
): string {
  const [old, now] = sides;
  const isLink = (side: DiffSide) => side.mode.slice(0, 3) !== '100';
  if (old && now && (isLink(old) || isLink(now)) && old.mode !== now.mode) {
    // A file that became a link is one file less and one file more.
    return (
      diffSection(format, path, [old, undefined]) + diffSection(format, path, [undefined, now])
    );
  }
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const head = [`diff --git ${a} ${b}`];
  if (old === undefined) head.push(`new file mode ${now!.mode}`);
  else if (now === undefined) head.push(`deleted file mode ${old.mode}`);
  else if (old.mode !== now.mode) head.push(`old mode ${old.mode}`, `new mode ${now.mode}`);
  if (old?.id !== now?.id) {
    const mode = old?.mode === now?.mode ? ` ${now!.mode}` : '';
    head.push(`index ${old?.id ?? noId(format)}..${now?.id ?? noId(format)}${mode}`);
  }
  const names = [old ? a : '/dev/null', now ? b : '/dev/null'] as const;
  return diffText(
    `${head.join('\n')}\n${bodyOf(path, names, [old?.bytes ?? '', now?.bytes ?? ''])}`,
  );
}

function bodyOf(
  path: string,
  names: readonly [string, string],
  bytes: readonly [string, string],
): string {
  if (bytes[0] === bytes[1]) return '';
  // Git's own rule for what is binary.
  if (bytes.some((side) => side.slice(0, 8000).includes('\0'))) {
    return `Binary files ${names[0]} and ${names[1]} differ\n`;
  }
  const tab = (name: string) => (name !== '/dev/null' && path.includes(' ') ? '\t' : '');
  const [from, to] = names;
  return `--- ${from}${tab(from)}\n+++ ${to}${tab(to)}\n${unifiedHunks(bytes[0], bytes[1])}`;
}

const LETTERS: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** In C-style quotes if a byte is not printable ASCII, so that hidden characters show. */
function quoted(name: string): string {
  const bytes = [...Buffer.from(name)];
  const isPlain = (byte: number) => byte >= 32 && byte < 127 && LETTERS[byte] === undefined;
  if (bytes.every(isPlain)) return name;
  const shown = bytes.map((byte) =>
    isPlain(byte)
      ? String.fromCharCode(byte)
      : (LETTERS[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`),
  );
  return `"${shown.join('')}"`;
}
