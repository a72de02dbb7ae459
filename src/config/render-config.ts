/**
 * Writes the `hone.yaml` of `hone init`: the keys that a person must decide (`asked`), each with a comment and
 * what was found in the repository. An empty list holds an example as a comment: to use it, remove the `#`.
 * The same input gives the same bytes, at most 80 columns wide (a single longer word stays whole), and the
 * text parses back to exactly the values written.
 */
import { stringify } from 'yaml';
import { z } from 'zod';
import { fieldNote, typeNote } from './fields.ts';
import { inner } from './schema-walk.ts';
import type { Detected, Section } from './types.ts';

const WIDTH = 80;

const HEAD = `Hone's configuration: what you have to decide. Every other key has a default;
"hone config show --all" prints them all, docs/reference/configuration.md
explains them. A change takes effect when you accept it: hone config accept`;

/** Values in place of the defaults, as they are written, by section and key. */
type Overlay = Readonly<Record<string, unknown>>;

/** `more`: what else was found, by section and key. */
export function renderConfig(
  sections: readonly Section[],
  detected: Detected,
  more: Readonly<Record<string, Overlay>> = {},
): string {
  const { agentFiles } = detected;
  const overlay: Overlay = { ...more, target: { agentFiles } };
  const parts = sections.flatMap(({ key, title, schema }) => {
    const lines = keyLines(schema, asOverlay(overlay[key]), '  ');
    return lines.length === 0 ? [] : [[...comment(title, ''), `${key}:`, ...lines].join('\n')];
  });
  return `${[comment(HEAD, '').join('\n'), ...parts].join('\n\n')}\n`;
}

function keyLines(schema: z.ZodObject, overlay: Overlay, indent: string): string[] {
  return Object.entries(schema.shape).flatMap(([key, child]) => {
    const { comment: words, written, asked } = fieldNote(child);
    const type = inner(child);
    const above = comment(words, indent);
    if (type instanceof z.ZodObject) {
      const lines = keyLines(type, asOverlay(overlay[key]), `${indent}  `);
      return lines.length === 0 ? [] : [...above, `${indent}${key}:`, ...lines];
    }
    if (asked === undefined) return [];
    const value = Object.hasOwn(overlay, key) ? overlay[key] : written;
    const quoted = typeNote(type)?.quoted === true;
    if (asked.example !== undefined && Array.isArray(value) && value.length === 0)
      return [...above, ...exampleLines(key, asked.example, indent)];
    return [...above, ...valueLines(key, value, indent, quoted)];
  });
}

/** In a flow list, so that the file is valid before and after the `#` is removed. */
function exampleLines(key: string, example: unknown, indent: string): string[] {
  return [`${indent}${key}: [`, `${indent}  # ${flow(example, false)},`, `${indent}  ]`];
}

function asOverlay(value: unknown): Overlay {
  return typeof value === 'object' && value !== null ? (value as Overlay) : {};
}

/** On one line where that fits, else a list with one item a line, else as YAML folds it. */
function valueLines(key: string, value: unknown, indent: string, quoted: boolean): string[] {
  const line = `${indent}${key}: ${flow(value, quoted)}`;
  if (fits(line)) return [line];
  const items = Array.isArray(value) ? value : [];
  const list = items.map((item) => `${indent}  - ${flow(item, quoted)}`);
  if (list.length > 0 && list.every(fits)) return [`${indent}${key}:`, ...list];
  const folded = stringify({ [key]: value }, { lineWidth: WIDTH - indent.length });
  return folded
    .trimEnd()
    .split('\n')
    .map((text) => (text === '' ? '' : `${indent}${text}`));
}

function flow(value: unknown, quoted: boolean): string {
  return stringify(value, {
    collectionStyle: 'flow',
    defaultStringType: quoted ? 'QUOTE_DOUBLE' : 'PLAIN',
    flowCollectionPadding: false,
    lineWidth: 0,
  }).trimEnd();
}

function fits(line: string): boolean {
  return line.length <= WIDTH && !line.includes('\n');
}

function comment(text: string, indent: string): string[] {
  return text
    .split('\n')
    .flatMap((paragraph) => wrapped(paragraph, WIDTH - indent.length - 2))
    .map((line) => `${indent}# ${line}`);
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
