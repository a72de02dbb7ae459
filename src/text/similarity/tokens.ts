/**
 * Words of a failure message, and holes where its names and numbers stood. One pass with one regular
 * expression whose alternatives are told apart by their first characters; at most `UNITS_MAX` units
 * and `TOKENS_MAX` tokens are looked at, so any message costs a bounded time.
 */
import { isClassName, type Piece, readIdentifier, TYPE_WORDS } from './identifiers.ts';
import { isStopWord, meaningOf, namesWhatFollows, phraseAt } from './lexicon.ts';

export type TokenKind =
  | 'telling'
  | 'known'
  | 'word'
  | 'soft'
  | 'name'
  | 'number'
  | 'place'
  | 'code'
  | 'type';

export interface Token {
  readonly kind: TokenKind;
  /** What it is compared by: a meaning, a small-letter word, a code; empty for holes. */
  readonly text: string;
  /** As it stood there, for reasons given to people. */
  readonly raw: string;
}

export const WEIGHTS: Readonly<Record<TokenKind, number>> = {
  telling: 1.4,
  code: 1.4,
  known: 0.8,
  word: 0.6,
  type: 0.35,
  soft: 0.25,
  name: 0.14,
  number: 0.08,
  place: 0.14,
};

export const UNITS_MAX = 8_192;
const TOKENS_MAX = 96;

const PIECE = new RegExp(
  [
    // Holes that others left: templates' wildcards and the sanitiser's marks.
    String.raw`(?<mark><\*>|<[A-Za-z_][\w:-]{0,40}>|\[(?:REDACTED|[A-Z]+_[A-Z_]+)[^\]\n]{0,40}\]|\$?\{\{?\w{1,40}\}?\})`,
    String.raw`(?<url>[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]+)`,
    String.raw`(?<email>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+)`,
    String.raw`(?<quoted>"[^"\n]{0,200}"|${'`'}[^${'`'}\n]{0,200}${'`'}|(?<![A-Za-z0-9])'[^'\n]{0,200}'(?![A-Za-z])|[\u2018\u201c][^\u2019\u201d\n]{0,200}[\u2019\u201d])`,
    String.raw`(?<path>[A-Za-z]:\\[^\s"',;)]+|(?:~|\.{1,2})?(?:\/[\w.@+%-]+)+\/?|\b[\w.@+-]+(?:\/[\w.@+-]+)+)`,
    String.raw`(?<hex>\b0x[0-9A-Fa-f]+\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,}\b)`,
    String.raw`(?<ip>\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b)`,
    String.raw`(?<number>[-+]?\b\d[\d,.]*(?:[eE][-+]?\d+)?\s?(?:ms|s|sec|secs|seconds?|minutes?|mins?|m|h|hours?|hrs?|days?|d|us|\u00b5s|ns|[KMGT]i?[Bb]?|bytes?|kb|mb|gb|%|x)?(?![A-Za-z0-9_]))`,
    String.raw`(?<ident>[A-Za-z_$@#][\w$]*(?:['\u2019][a-z]{1,2}(?![A-Za-z0-9])|(?:[.:#-]{1,2}|->)[A-Za-z_$][\w$]*|[.:-]\d[\w$]*)*(?:\(\))?)`,
    String.raw`(?<digits>\d[\w.-]*)`,
    String.raw`(?<foreign>[^\x00-\x7f]+)`,
  ].join('|'),
  'g',
);

export function tokensOf(message: string): Token[] {
  const pieces = piecesOf(message.slice(0, UNITS_MAX), 0);
  return readWords(pieces);
}

/** How a value is tied to what happened: `from <*>`, `via <*>`. */
const LINKS = new Set(
  'of to in on at for with by from into onto via per during against between through under'.split(
    ' ',
  ),
);

/** The links of a message's values, in order of the alphabet. */
export function linksOf(message: string): string[] {
  const pieces = piecesOf(message.slice(0, UNITS_MAX), 0);
  const links = pieces.flatMap((piece, at) => {
    const next = pieces[at + 1]?.kind;
    const isBeforeValue = next === 'name' || next === 'place' || next === 'number';
    return piece.kind === 'word' && isBeforeValue && LINKS.has(piece.word) ? [piece.word] : [];
  });
  return links.sort();
}

function piecesOf(text: string, depth: number): Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(PIECE)) {
    if (pieces.length >= TOKENS_MAX * 2) break;
    const groups = match.groups!;
    const raw = match[0];
    const colon = text[match.index + raw.length] === ':';
    if (groups['ident'] !== undefined)
      pieces.push(...readIdentifier(raw).map((piece) => (colon ? { ...piece, colon } : piece)));
    else if (groups['quoted'] !== undefined) pieces.push(...quoted(raw, depth));
    else if (groups['number'] !== undefined) pieces.push({ kind: 'number', word: '', raw });
    else if (groups['foreign'] !== undefined) {
      for (const word of raw.match(/[\p{L}\p{M}]+/gu) ?? [])
        pieces.push({ kind: 'word', word: word.toLowerCase(), raw: word });
    } else if ((groups['mark'] ?? groups['hex'] ?? groups['digits']) !== undefined)
      pieces.push({ kind: 'name', word: '', raw });
    else pieces.push({ kind: 'place', word: '', raw });
  }
  return pieces;
}

/** A quoted sentence is read; a quoted word is somebody's name for something, or a type. */
function quoted(raw: string, depth: number): Piece[] {
  const inner = raw.slice(1, -1);
  const words = inner.toLowerCase().match(/[a-z']+/g) ?? [];
  if (TYPE_WORDS.has(inner.toLowerCase()))
    return [{ kind: 'type', word: inner.toLowerCase(), raw: inner }];
  if (/^E[A-Z]{3,}$/.test(inner) || isClassName(inner)) return readIdentifier(inner);
  const sentence =
    words.length >= 3 &&
    /\s/.test(inner) &&
    words.some((word) => meaningOf(word)?.telling === true);
  return sentence && depth === 0 ? piecesOf(inner, 1) : [{ kind: 'name', word: '', raw }];
}

function readWords(pieces: readonly Piece[]): Token[] {
  const tokens: Token[] = [];
  const words = pieces.map((piece) =>
    piece.kind === 'word' || piece.kind === 'type' ? piece.word : '\0',
  );
  let at = 0;
  while (at < pieces.length && tokens.length < TOKENS_MAX) {
    const piece = pieces[at]!;
    const phrase = words[at] === '\0' ? undefined : phraseAt(words, at);
    if (phrase !== undefined) {
      const raw = words.slice(at, at + phrase.length).join(' ');
      pushMeaning(tokens, phrase.meaning.id, phrase.meaning.telling, raw);
      at += phrase.length;
      continue;
    }
    at += 1;
    const last = tokens.at(-1);
    // A list of names is as long as it happens to be.
    if (piece.kind === 'name' && last?.kind === 'name') continue;
    if (piece.kind !== 'word') tokens.push({ kind: piece.kind, text: piece.word, raw: piece.raw });
    else tokens.push(...readWord(pieces, words, at - 1));
  }
  return tokens;
}

function readWord(pieces: readonly Piece[], words: readonly string[], at: number): Token[] {
  const word = words[at]!;
  const raw = pieces[at]!.raw;
  const meaning = meaningOf(word);
  if (isNamed(words, at, meaning?.telling)) return [{ kind: 'name', text: '', raw }];
  if (meaning !== undefined) {
    const tokens: Token[] = [];
    pushMeaning(tokens, meaning.id, meaning.telling, raw);
    return tokens;
  }
  if (isStopWord(word) || word.length === 1) return [];
  // Signs and states in capitals (`LOOKING`, `SELECT`) are a program's own words.
  if (/^[A-Z]{4,}$/.test(raw)) return [{ kind: 'known', text: word, raw }];
  return [{ kind: isSoft(pieces, words, at) ? 'soft' : 'word', text: word, raw }];
}

const BEFORE_NAMES = new Set([
  'for',
  'by',
  'from',
  'of',
  'on',
  'at',
  'with',
  'via',
  'against',
  'in',
  'into',
  'named',
  'calling',
  'called',
  'is',
  'using',
]);

/** Where names stand: after a preposition, before a colon or a naming noun, capital in a sentence. */
function isSoft(pieces: readonly Piece[], words: readonly string[], at: number): boolean {
  const before = words[at - 1];
  const after = words[at + 1];
  if (pieces[at]!.colon === true) return true;
  if (after !== undefined && namesWhatFollows(after)) return true;
  if (before !== undefined && BEFORE_NAMES.has(before)) return true;
  // At the end, behind what it is: `dependency poppler`.
  if (after === undefined && before !== undefined && meaningOf(before)?.telling === false)
    return true;
  if (before === 'to') return after === undefined || after === '\0' || isStopWord(after);
  // After a colon a sentence starts, and its capital tells nothing.
  return at > 0 && pieces[at - 1]!.colon !== true && /^[A-Z][a-z]/.test(pieces[at]!.raw);
}

/** Says "it failed" in a failure, which is no information. */
function pushMeaning(tokens: Token[], id: string, telling: boolean, raw: string): void {
  if (id === 'failed' || id === 'because') return;
  tokens.push({ kind: telling ? 'telling' : 'known', text: id, raw });
}

const NOT_NAMES = new Set([
  'call',
  'name',
  'names',
  'id',
  'ids',
  'type',
  'value',
  'values',
  'not',
  'error',
  'failed',
]);
const VERB_NAMERS = new Set([
  'tool',
  'agent',
  'function',
  'method',
  'command',
  'skill',
  'plugin',
  'action',
  'named',
  'called',
  'subagent',
  'hook',
]);

/** `tool search failed`: the word between a naming noun and what happened to it is a name. */
function isNamed(words: readonly string[], at: number, telling: boolean | undefined): boolean {
  const before = words[at - 1];
  const word = words[at]!;
  if (before === undefined || !namesWhatFollows(before) || NOT_NAMES.has(word) || isStopWord(word))
    return false;
  // What was done to it, or what it is doing: `agent rejected`, `task waiting`.
  if (/(?:ed|ing)$/.test(word)) return false;
  if (telling === undefined) return true;
  const after = words[at + 1];
  const predicate =
    after === undefined ||
    after === '\0' ||
    isStopWord(after) ||
    meaningOf(after)?.telling === true ||
    after.endsWith('ed') ||
    meaningOf(after)?.id === 'failed';
  if (!predicate || phraseAt(words, at - 1) !== undefined) return false;
  // Bare verbs are what tools are called; `execution` or `reading` is what was being done.
  return telling
    ? VERB_NAMERS.has(before) &&
        /^(?:search|fetch|read|write|query|delete|create|update|open|send|copy|move|load|upload|download|execute|run|commit|push|pull)$/.test(
          word,
        )
    : true;
}
