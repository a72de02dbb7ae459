/**
 * Adds an item to a list of a YAML text, such as a source to `observe.sources`. Only inserts: every byte that was there
 * stays, comments included. The new text is read again, and must mean what it meant before with that item at the
 * list's end; else it declines, and a person adds it by hand.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Declined } from './types.ts';

type Parsed = Document.Parsed;

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** `keys` lead from the top to the list. What is missing of them is made. */
export function addToList(
  text: string,
  keys: readonly [string, string],
  item: Readonly<Record<string, unknown>>,
): { readonly text: string } | Declined {
  const before = parsed(text);
  if (before === undefined) return CANNOT_READ;
  const insertion = insertionFor(before, text, keys, flow(item));
  if (insertion === undefined) return CANNOT_ADD;
  const added = text.slice(0, insertion.at) + insertion.text + text.slice(insertion.at);
  const after = parsed(added);
  if (after === undefined || !isDeepStrictEqual(after.toJS(), withItem(before.toJS(), keys, item)))
    return CANNOT_ADD;
  return { text: added };
}

const CANNOT_READ: Declined = { declined: 'The file has a syntax error.' };
const CANNOT_ADD: Declined = { declined: 'The list is written in a form that cannot be added to.' };

/** Undefined with a syntax error, or where it is no map. */
function parsed(text: string): Parsed | undefined {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const { contents, errors } = document;
  if (errors.length > 0) return undefined;
  if (contents === null || isMap(contents) || isEmpty(contents)) return document;
  return undefined;
}

const isEmpty = (node: unknown) => isScalar(node) && node.value === null;

function withItem(value: unknown, [outer, inner]: readonly [string, string], item: object) {
  const all = structuredClone(value ?? {}) as Record<string, Record<string, unknown[]> | null>;
  const section = { ...(all[outer] ?? {}) };
  section[inner] = [...(section[inner] ?? []), { ...item }];
  return { ...all, [outer]: section };
}

function insertionFor(
  { contents }: Parsed,
  text: string,
  [outer, inner]: readonly [string, string],
  item: string,
): Insertion | undefined {
  const top = isMap(contents) ? contents : undefined;
  if (top?.flow === true) return undefined;
  const section = pairOf(top, outer);
  if (section === undefined) return atEnd(text, `${outer}:\n  ${inner}:\n    - ${item}\n`);
  const { value } = section;
  if (value === null || isEmpty(value)) return below(text, section, `  ${inner}:\n    - ${item}\n`);
  if (!isMap(value) || value.flow === true) return undefined;
  const list = pairOf(value, inner);
  if (list === undefined) {
    const indent = indentOf(text, startOf(value));
    return below(text, section, `${indent}${inner}:\n${indent}  - ${item}\n`);
  }
  if (list.value === null || isEmpty(list.value)) {
    const indent = indentOf(text, startOf(list.key));
    return below(text, list, `${indent}  - ${item}\n`);
  }
  if (!isSeq(list.value)) return undefined;
  return list.value.flow === true
    ? inFlow(text, list.value, item)
    : inBlock(text, list.value, item);
}

function pairOf(map: YAMLMap | undefined, key: string): Pair<unknown, unknown> | undefined {
  return map?.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** After the file's last line, with a blank line between. */
function atEnd(text: string, lines: string): Insertion {
  if (text.trim() === '')
    return { at: text.length, text: text === '' || text.endsWith('\n') ? lines : `\n${lines}` };
  const gap = text.endsWith('\n') ? '\n' : '\n\n';
  return { at: text.length, text: `${gap}${lines}` };
}

/** On the line after a key. */
function below(text: string, { key }: Pair<unknown, unknown>, lines: string): Insertion {
  const end = lineEnd(text, startOf(key));
  return end === text.length ? { at: end, text: `\n${lines}` } : { at: end + 1, text: lines };
}

/** After the last item, on a line of its own, indented as the items are. */
function inBlock(text: string, list: YAMLSeq, item: string): Insertion | undefined {
  const last = list.items.at(-1);
  if (last === undefined) return undefined;
  const indent = indentOf(text, startOf(list.items[0]));
  const at = lineEnd(text, Math.max(startOf(last), endOf(last) - 1));
  const line = `${indent}- ${item}`;
  return at === text.length ? { at, text: `\n${line}\n` } : { at: at + 1, text: `${line}\n` };
}

/** Before the bracket that closes it: on a line of its own where the bracket has one. */
function inFlow(text: string, list: YAMLSeq, item: string): Insertion | undefined {
  const close = endOf(list) - 1;
  if (text[close] !== ']') return undefined;
  const last = list.items.at(-1);
  const lineStart = text.lastIndexOf('\n', close) + 1;
  const isOwnLine = text.slice(lineStart, close).trim() === '';
  const needsComma = last !== undefined && !hasComma(text.slice(endOf(last), close));
  if (!isOwnLine) return { at: close, text: `${needsComma ? ', ' : ''}${item}` };
  // A comma belongs behind the item, before any comment: two insertions, which is one too many.
  if (needsComma) return undefined;
  return { at: lineStart, text: `${text.slice(lineStart, close)}${item},\n` };
}

const hasComma = (between: string) => between.replace(/#[^\n]*/g, '').includes(',');

function startOf(node: unknown): number {
  return (node as { range?: readonly number[] }).range?.[0] ?? 0;
}

/** Of the value itself, without what comes behind it. */
function endOf(node: unknown): number {
  return (node as { range?: readonly number[] }).range?.[1] ?? 0;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The spaces before the line that holds this place. */
function indentOf(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^ */.exec(text.slice(lineStart, at))![0];
}

function flow(item: Readonly<Record<string, unknown>>): string {
  return stringify(item, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    lineWidth: 0,
  }).trimEnd();
}
