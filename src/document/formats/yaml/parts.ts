/**
 * Parses YAML so that one syntax error does not hide the rest of the file. A sound file is one
 * document. A damaged one is cut at its top-level keys, each part parsed alone: an open quote then
 * spoils its own section only, and inside that section what comes before the damage still counts.
 */
import { parseDocument } from 'yaml';
import type { Syntax } from '../../types.ts';
import { type LocatedError, locatedErrors, PARSE_OPTIONS } from './errors.ts';
import { syntaxOf } from './syntax.ts';
import { isHarmless, type SyntaxWords, syntaxWords } from './syntax-words.ts';

/** A real file has a dozen sections; one with more is not worth parsing part by part. */
const PARTS_MAX = 200;

export interface YamlPart {
  /** Where the part starts in the whole text; the offsets of its root count from here. */
  readonly start: number;
  readonly root: Syntax;
  /** Offsets in the whole text. */
  readonly errors: readonly (SyntaxWords & { readonly offset: number })[];
  /** From here on the parser guessed; infinite in a valid part. */
  readonly damagedFrom: number;
  /** Lines that start with `%`. */
  readonly hasDirectives: boolean;
}

export function readYamlParts(text: string): readonly YamlPart[] {
  const whole = parsePart(text, 0);
  if (whole.damagedFrom === Number.POSITIVE_INFINITY) return [whole];
  const starts = topLevelStarts(text);
  if (starts.length < 2 || starts.length > PARTS_MAX) return [whole];
  return starts.map((start, index) => parsePart(text.slice(start, starts[index + 1]), start));
}

function parsePart(text: string, start: number): YamlPart {
  const document = parseDocument(text, {
    ...PARSE_OPTIONS,
    stringKeys: true,
    resolveKnownTags: false,
  });
  const errors = locatedErrors(document, text);
  const { yaml, tags } = document.directives;
  return {
    start,
    root: syntaxOf(document.contents),
    errors: errors.map(({ code, offset }) => ({ ...syntaxWords(code), offset: start + offset })),
    damagedFrom: start + damageOf(errors, text),
    hasDirectives: yaml.explicit === true || Object.keys(tags).some((handle) => handle !== '!!'),
  };
}

function damageOf(errors: readonly LocatedError[], text: string): number {
  const from = errors
    .filter(({ code }) => !isHarmless(code))
    .reduce((least, error) => Math.min(least, error.from), Number.POSITIVE_INFINITY);
  if (from === Number.POSITIVE_INFINITY) return from;
  // The whole line is in doubt: `*/5 * * * *` is an alias and then an error.
  return text.lastIndexOf('\n', from - 1) + 1;
}

/** Lines that can start a key of the outermost mapping; lists below one may start at the margin. */
function topLevelStarts(text: string): readonly number[] {
  if (/^(\s|#[^\n]*\n)*[[{]/.test(text)) return [];
  const starts = [...text.matchAll(/^[^\s#\-%.}\],|>]/gm)].map(({ index }) => index);
  // What is above the first key (comments, "---") belongs to it.
  return starts.length === 0 ? [] : [0, ...starts.slice(1)];
}
