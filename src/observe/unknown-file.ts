/**
 * What a file looks like that no kind of source recognises, in a few words. Pure. It may name keys and columns of the
 * file, never values; they are the file's own words, so whoever shows them sanitises them.
 */
import type { Sample } from './types.ts';

const NAMES_SHOWN = 5;
const NAME_SHOWN_MAX = 40;
/** Of a head: more than this share of them, and it is not text. */
const STRANGE_SHARE_MAX = 0.05;
/** Logs are coloured with it. */
const ESCAPE = 0x1b;
/** How gzip and zstd begin, as text. */
const COMPRESSED = ['\u001f\ufffd', '(\ufffd/\ufffd'];

export function looksLike({ head, isWhole }: Sample): string {
  if (head.trim() === '') return isWhole ? 'an empty file' : 'blank lines';
  if (COMPRESSED.some((start) => head.startsWith(start))) return 'compressed data';
  if (isBinary(head)) return 'binary data';
  const text = head.replace(/^\ufeff/, '').trimStart();
  const lines = text.split('\n', 2);
  const first = parsed(lines[0]!);
  if (isObject(first)) return `JSON lines with ${names('the key', Object.keys(first))}`;
  if (/^[[{]/.test(text)) return documentWords(text, isWhole);
  const element = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z][\w.:-]{0,40})/.exec(text)?.[1];
  if (element !== undefined) return `XML or HTML that begins with <${element}>`;
  return tableWords(lines) ?? 'plain text';
}

function isBinary(head: string): boolean {
  let strange = 0;
  for (const sign of head.slice(0, 4096)) {
    const code = sign.codePointAt(0)!;
    if (code === 0) return true;
    if (code === 0xfffd || (code < 32 && code !== ESCAPE && !/\s/.test(sign))) strange += 1;
  }
  return strange > STRANGE_SHARE_MAX * Math.min(head.length, 4096);
}

function documentWords(text: string, isWhole: boolean): string {
  const value = isWhole ? parsed(text) : undefined;
  if (isObject(value)) return `one JSON document with ${names('the key', Object.keys(value))}`;
  if (Array.isArray(value) && isObject(value[0]))
    return `a JSON list of objects with ${names('the key', Object.keys(value[0]))}`;
  return 'JSON over several lines';
}

/** A first line of short words with the same separator as often as in the second one. */
function tableWords([head = '', row = '']: readonly string[]): string | undefined {
  for (const separator of [',', ';', '\t', '|']) {
    const cells = head.split(separator);
    if (cells.length < 3 || row.split(separator).length < cells.length) continue;
    const columns = cells.map((cell) => cell.trim().replace(/^"|"$/g, ''));
    if (columns.every((cell) => /^[\p{L}_][\p{L}\p{N}_ .-]{0,60}$/u.test(cell)))
      return `a table with ${names('the column', columns)}`;
  }
  return undefined;
}

function names(word: string, all: readonly string[]): string {
  if (all.length === 0) return `no ${word.replace(/^the /, '')}s`;
  const shown = all.slice(0, NAMES_SHOWN).map((name) => name.slice(0, NAME_SHOWN_MAX));
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : '';
  return `${word}${all.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
