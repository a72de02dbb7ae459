/**
 * Parses YAML so that one syntax error does not hide the rest of the file. A sound file is one
 * document. A damaged one is cut at its top-level keys, each part parsed alone: an open quote then
 * spoils its own section only, and inside that section what stands before the damage still counts.
 */
import { type Document, isCollection, isScalar, parseDocument, visit, type YAMLError } from 'yaml';
import { isHarmless } from './syntax-words.ts';

/** Somebody's file has a dozen sections; one that is cut finer is not worth parsing part by part. */
const BLOCKS_MAX = 200;
/** A hostile file can make hundreds of thousands, and each is looked up in the document. */
const ERRORS_MAX = 200;

interface LocatedError {
  readonly code: YAMLError['code'];
  /** Where a person looks for it, in the whole text. */
  readonly offset: number;
  /** From where on the parser was misled. */
  readonly from: number;
}

export interface Block {
  /** Where the block starts in the whole text; the document's own offsets count from here. */
  readonly start: number;
  readonly document: Document.Parsed;
  readonly errors: readonly LocatedError[];
  /** What the parser made from here on is a guess; infinite in a sound block. */
  readonly damagedFrom: number;
}

export function parseBlocks(text: string): readonly Block[] {
  const whole = parseBlock(text, 0);
  if (whole.damagedFrom === Number.POSITIVE_INFINITY) return [whole];
  const starts = topLevelStarts(text);
  if (starts.length < 2 || starts.length > BLOCKS_MAX) return [whole];
  return starts.map((start, index) => parseBlock(text.slice(start, starts[index + 1]), start));
}

function parseBlock(text: string, start: number): Block {
  // Duplicate keys are found by our own walk: the parser's check takes quadratic time, and ours
  // knows the line of the first one.
  const document = parseDocument(text, {
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const first = document.errors.slice(0, ERRORS_MAX);
  const openings = first.length === 0 ? [] : openingsOf(document);
  const errors = first
    .flatMap((error) => located(error, first, openings, text))
    .map((error) => ({
      code: error.code,
      offset: start + error.offset,
      from: start + error.from,
    }));
  return { start, document, errors, damagedFrom: damageOf(errors, text, start) };
}

function damageOf(errors: readonly LocatedError[], text: string, start: number): number {
  const from = errors
    .filter(({ code }) => !isHarmless(code))
    .reduce((least, error) => Math.min(least, error.from), Number.POSITIVE_INFINITY);
  if (from === Number.POSITIVE_INFINITY) return from;
  // The whole line is in doubt: `*/5 * * * *` is an alias and then an error.
  return start + text.lastIndexOf('\n', from - start - 1) + 1;
}

/** The parser's errors at the place where a person would look. */
function located(
  error: YAMLError,
  all: readonly YAMLError[],
  openings: readonly Opening[],
  text: string,
): LocatedError[] {
  const { code } = error;
  const from = Math.min(error.pos[0], text.trimEnd().length);
  if (code === 'MISSING_CHAR' || code === 'BAD_INDENT') {
    const [at] = error.pos;
    // A quote or bracket that is never closed is noticed far below; the place where it opens helps.
    const opening = openings.findLast(({ from: start, to }) => start < at && at <= to + 1);
    if (opening !== undefined)
      return [{ code: 'MISSING_CHAR', offset: opening.from, from: opening.from }];
  }
  // A line that is indented too far reads as part of the value above and gives two errors there.
  const there = all.filter(({ pos }) => pos[0] === error.pos[0]).map((other) => other.code);
  const isIndented =
    there.includes('BLOCK_AS_IMPLICIT_KEY') && there.includes('MULTILINE_IMPLICIT_KEY');
  if (isIndented && code === 'BLOCK_AS_IMPLICIT_KEY') return [];
  if (isIndented && code === 'MULTILINE_IMPLICIT_KEY')
    return [{ code: 'BAD_INDENT', offset: error.pos[1] - 1, from }];
  return [{ code, offset: from, from }];
}

interface Opening {
  readonly from: number;
  readonly to: number;
}

/** Every quote and bracket, outer ones first. */
function openingsOf(document: Document.Parsed): readonly Opening[] {
  const openings: Opening[] = [];
  visit(document, (_, node) => {
    const quoted = isScalar(node) && node.type?.startsWith('QUOTE') === true;
    const flow = isCollection(node) && node.flow === true;
    if ((quoted || flow) && node.range) openings.push({ from: node.range[0], to: node.range[2] });
  });
  return openings;
}

/** Lines that can start a key of the outermost mapping; lists may stand at the margin below one. */
function topLevelStarts(text: string): readonly number[] {
  if (/^(\s|#[^\n]*\n)*[[{]/.test(text)) return [];
  const starts = [...text.matchAll(/^[^\s#\-%.}\],|>]/gm)].map(({ index }) => index);
  // What stands above the first key (comments, "---") belongs to it.
  return starts.length === 0 ? [] : [0, ...starts.slice(1)];
}
