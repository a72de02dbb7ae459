/** Plain messages for the YAML parser's error codes. Its own messages quote the source. */
import type { ErrorCode } from 'yaml';

export interface SyntaxWords {
  readonly expected: string;
  readonly found: string;
}

const KEY_VALUE: SyntaxWords = {
  expected: '"key: value" with a space after the colon',
  found: 'a line that is neither a key nor a value',
};
const NOT_CLOSED: SyntaxWords = {
  expected: 'a closing quote, bracket or brace',
  found: 'none',
};
const INDENT: SyntaxWords = {
  expected: 'lines of one level to start at the same column',
  found: 'another indentation',
};
const ONE_DOCUMENT: SyntaxWords = { expected: 'one document', found: 'another one after "---"' };
const ANCHOR: SyntaxWords = { expected: 'one anchor or alias per value', found: 'more of them' };
const TAG: SyntaxWords = { expected: 'a value without a tag', found: 'a tag' };

const WORDS: Readonly<Partial<Record<ErrorCode, SyntaxWords>>> = {
  ALIAS_PROPS: ANCHOR,
  BAD_ALIAS: ANCHOR,
  BAD_COLLECTION_TYPE: TAG,
  BAD_DIRECTIVE: { expected: 'no directives', found: 'a line that starts with %' },
  BAD_DQ_ESCAPE: {
    expected: 'a known escape after \\ in double quotes, or single quotes around the text',
    found: 'an unknown one',
  },
  BAD_INDENT: INDENT,
  BAD_PROP_ORDER: ANCHOR,
  BAD_SCALAR_START: {
    expected: 'quotes around a string that starts with a YAML indicator (@ ` % * & ! | >)',
    found: 'none',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    expected: 'one "key: value" on a line, and quotes around a string with ": "',
    found: 'a second colon',
  },
  BLOCK_IN_FLOW: NOT_CLOSED,
  KEY_OVER_1024_CHARS: { expected: 'a short key', found: 'one of more than 1024 characters' },
  MISSING_CHAR: NOT_CLOSED,
  MULTILINE_IMPLICIT_KEY: KEY_VALUE,
  MULTIPLE_ANCHORS: ANCHOR,
  MULTIPLE_DOCS: ONE_DOCUMENT,
  MULTIPLE_TAGS: TAG,
  NON_STRING_KEY: { expected: 'a plain string as key', found: 'a list or other keys' },
  RESOURCE_EXHAUSTION: { expected: 'a few levels of nesting', found: 'thousands' },
  TAB_AS_INDENT: { expected: 'spaces at the start of the line', found: 'a tab' },
  TAG_RESOLVE_FAILED: TAG,
  UNEXPECTED_TOKEN: {
    expected: 'one value, in quotes if it starts with a character such as * or [',
    found: 'more text after it',
  },
};

/** After these the parser continues as if nothing were wrong. */
const HARMLESS: ReadonlySet<ErrorCode> = new Set([
  'BAD_DQ_ESCAPE',
  'BAD_SCALAR_START',
  'DUPLICATE_KEY',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
  'NON_STRING_KEY',
  'TAG_RESOLVE_FAILED',
]);

export function syntaxWords(code: ErrorCode): SyntaxWords {
  return WORDS[code] ?? { expected: 'YAML', found: 'a character that does not belong here' };
}

export function isHarmless(code: ErrorCode): boolean {
  return HARMLESS.has(code);
}
