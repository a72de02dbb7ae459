/** The parser's errors, at the places where a person would look for them. */
import { type Document, isCollection, isScalar, visit, type YAMLError } from 'yaml';

/** A hostile file can make hundreds of thousands, and each is looked up in the document. */
const ERRORS_MAX = 200;

/** Equal keys are found by our own walk: the parser's check takes quadratic time, as do its pretty errors. */
export const PARSE_OPTIONS = {
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
} as const;

export interface LocatedError {
  readonly code: YAMLError['code'];
  /** Where a person looks for it. */
  readonly offset: number;
  /** From where on the parser was misled. */
  readonly from: number;
}

export function locatedErrors(document: Document.Parsed, text: string): readonly LocatedError[] {
  const first = document.errors.slice(0, ERRORS_MAX);
  const openings = first.length === 0 ? [] : openingsOf(document);
  const textEnd = text.trimEnd().length;
  return first.flatMap((error) => located(error, first, openings, textEnd));
}

function located(
  error: YAMLError,
  all: readonly YAMLError[],
  openings: readonly Opening[],
  textEnd: number,
): LocatedError[] {
  const { code } = error;
  const from = Math.min(error.pos[0], textEnd);
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
