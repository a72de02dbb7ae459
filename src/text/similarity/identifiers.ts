/**
 * Identifiers: which of them are words in disguise (error classes, `rate_limit_exceeded`, `read-only`,
 * `CrashLoopBackOff`) and which are names that somebody gave to something.
 */
import { meaningOf, phraseAt } from './lexicon.ts';
import type { TokenKind } from './tokens.ts';

/** An identifier that ends or starts so is the name of an error, not of a thing. */
const ERROR_NAME =
  /(?:^|[_-])(?:error|err|exceeded|failed|failure|denied|found|timeout|timedout|invalid|limit|limited|limits|unavailable|refused|expired|required|missing|exists|conflict|overloaded|quota|filter|forbidden|unauthorized|unauthenticated|exhausted|cancelled|canceled|aborted|unsupported|exception|violation|mismatch|precondition|unimplemented|internal)$|^(?:invalid|missing|insufficient|not|no|unknown|unsupported|unexpected|duplicate)[_-]/i;
const CLASS_NAME =
  /^(?:[A-Za-z_$][\w$]*(?:\.|::|\\))*[A-Z][\w$]*(?:Error|Exception|Warning|Fault|Panic|Interrupt|Failure|Timeout)$/;
export const TYPE_WORDS = new Set(
  'string str number int integer int64 int32 float boolean bool array object list dict tuple bigint null undefined none nil nonetype varchar nan'.split(
    ' ',
  ),
);

/** A longer identifier is cut: the second expression looks at every start of a run of capitals. */
const IDENTIFIER_UNITS_MAX = 200;

/** What the pieces of one message are, before the words are given their meaning. */
export interface Piece {
  readonly kind: TokenKind;
  readonly word: string;
  readonly raw: string;
  /** A colon follows: `bash: make: command not found`. */
  readonly colon?: boolean;
}

export function isClassName(text: string): boolean {
  return text.length < IDENTIFIER_UNITS_MAX && CLASS_NAME.test(text);
}

/** `FileNotFoundError`, `rate_limit_exceeded` as small-letter words. */
export function splitWords(identifier: string): string[] {
  return identifier
    .slice(0, IDENTIFIER_UNITS_MAX)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z']+/)
    .filter((part) => part.length > 0)
    .map((part) => part.toLowerCase());
}

export function readIdentifier(raw: string): Piece[] {
  if (/^[A-Za-z]+(?:['\u2019][a-z]{1,2})?$/.test(raw)) {
    const word = raw.toLowerCase().replace('\u2019', "'");
    const inner = /^[A-Z]?[a-z']+$|^[A-Z]+$/.test(raw);
    if (inner) {
      if (TYPE_WORDS.has(word)) return [{ kind: 'type', word, raw }];
      return [{ kind: 'word', word, raw }];
    }
    if (isClassName(raw))
      return splitWords(raw).map((part) => ({ kind: 'word', word: part, raw: part }));
    if (namesState(raw))
      return splitWords(raw).map((part) => ({ kind: 'word', word: part, raw: part }));
    return [{ kind: 'name', word: '', raw }];
  }
  const bare = raw.replace(/[:.-]+$/, '');
  if (isClassName(bare)) {
    const last = bare.split(/\.|::|\\/).at(-1)!;
    return splitWords(last).map((part) => ({ kind: 'word', word: part, raw: part }));
  }
  if (/^[A-Z]{1,6}-?\d{3,6}$/.test(bare)) return [{ kind: 'code', word: bare.toLowerCase(), raw }];
  if (ERROR_NAME.test(bare) || isPhrase(bare) || namesState(bare))
    return splitWords(bare).map((part) => ({ kind: 'word', word: part, raw: part }));
  return [{ kind: 'name', word: '', raw }];
}

/** `CrashLoopBackOff`, `AccessDenied`: capitals inside, and a word for what went wrong. */
function namesState(identifierText: string): boolean {
  if (!/^[A-Z][a-z]+[A-Z]\w*$/.test(identifierText)) return false;
  const words = splitWords(identifierText);
  return words.some(
    (word, at) => meaningOf(word)?.state === true || phraseAt(words, at)?.meaning.state === true,
  );
}

/** `read-only`, `self-signed`: hyphens inside a saying, not inside a name. */
function isPhrase(identifierText: string): boolean {
  const words = identifierText.toLowerCase().split('-');
  return words.length > 1 && phraseAt(words, 0)?.length === words.length;
}
