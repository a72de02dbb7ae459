/** Secrets that are known by the name beside them: headers, assignments, long runs on a line with "key". */
import { endOfValue, isMark, looksRandom, type Quote, quoteBefore } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

const HEADER_NAMES = [
  '(?:proxy[-_])?authorization',
  'set[-_]cookie2?',
  'cookie',
  'x[-_](?:api|goog[-_]api|functions)[-_]?key',
  'x[-_](?:auth|access|csrf|xsrf|vault|gitlab|github|session|refresh|amz[-_]security)[-_]token',
  'x[-_](?:hub|slack)[-_]signature(?:[-_]256)?',
  'api-key',
  'private[-_]token',
  'ocp[-_]apim[-_]subscription[-_]key',
];
const HEADER = new RegExp(
  `(?:${HEADER_NAMES.join('|')})(\\\\{0,7}["'\`])?(\\s{0,4}(?::|=>?|,)\\s{0,4})(\\\\{0,7}["'\`])?`,
  'gi',
);

/** `Cookie: …` to the end of its line or quote, `"cookie": "…"`, `'Cookie', '…'`. */
export const headers: Rule = (text) => {
  const edits: Edit[] = [];
  HEADER.lastIndex = 0;
  for (let match = HEADER.exec(text); match !== null; match = HEADER.exec(text)) {
    const [whole, closes, separator, opens] = match;
    const isPair = closes !== undefined && opens !== undefined;
    if (separator!.includes(',') && !isPair) continue;
    const start = match.index + whole.length;
    const quote =
      opens !== undefined ? quoteBefore(text, start) : outerQuote(text, match.index, closes);
    const end = endOfValue(text, start, quote);
    const edit = headerEdit(text.slice(start, end), start);
    if (edit !== undefined) edits.push(edit);
    HEADER.lastIndex = end;
  }
  return edits;
};

/** The header stands in quotes itself: `-H "Cookie: …"`. */
function outerQuote(text: string, start: number, closes: string | undefined): Quote | undefined {
  return closes === undefined ? quoteBefore(text, start) : undefined;
}

function headerEdit(value: string, start: number): Edit | undefined {
  const trimmed = value.trimEnd();
  const mark = /^bearer\s/i.test(trimmed) ? 'Bearer [REDACTED]' : '[REDACTED:HEADER]';
  if (trimmed === '' || trimmed === mark) return undefined;
  return { kind: 'header', start, end: start + trimmed.length, mark };
}

const PASSWORD = 'passwords?|passwd|pwd|passphrase';
const OTHER = 'secret|(?:api|access|private|signing|encryption|account)[-_]?key|credential|token';
const ASSIGNMENT = new RegExp(
  `(?:(${PASSWORD})|${OTHER})([A-Za-z0-9_-]{0,24})(\\\\{0,7}["'\`])?\\s{0,2}(=>|:=|[:=])\\s{0,2}(\\\\{0,7}["'\`])?`,
  'gi',
);
/** `token_count`, `secretName`: what they hold is about the secret, not the secret. */
const ABOUT =
  /(?:name|type|kind|count|counts|url|uri|endpoint|path|file|field|limit|length|len|size|usage|used|budget|ttl|policy|error|status|version|expiry|expires|expires_in|expiration|required|valid|min|max)$/i;
/** `tokenizer`, `secretary`: another word. */
const ANOTHER_WORD = /^(?!s(?![a-z]))[a-z]/;
/** Names inside a longer value are not looked for: each would read it to its end again. */
const LOOKED_INTO = 200;
const UNQUOTED = /(?:[^\s"'`,;&<>(){}[\]|\\]|\\(?![nrtu"'`\\]))+/y;
const NOTHING =
  /^(?:\*+|x+|\.+|-+|\$[A-Z_][A-Z0-9_]*|null|none|nil|undefined|true|false|empty|missing|invalid|required|expired|unknown|redacted)[.!?]?$/i;
const NUMBER = /^[-+]?[\d.,_]+[a-z%]{0,3}$/i;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]{0,30}:\/\//i;

/** `password=…`, `"api_key": "…"`, `AWS_SECRET_ACCESS_KEY: …`. */
export const assignments: Rule = (text) => {
  const edits: Edit[] = [];
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const [whole, password, suffix, , separator, opens] = match;
    if (ANOTHER_WORD.test(suffix!) || ABOUT.test(suffix!)) continue;
    const start = match.index + whole.length;
    const end =
      opens === undefined
        ? unquotedEnd(text, start)
        : endOfValue(text, start, quoteBefore(text, start));
    const value = text.slice(start, end);
    const isFirm = opens !== undefined || separator !== ':';
    const isSecret =
      password === undefined ? isOtherSecret(value, isFirm) : isPassword(value, isFirm);
    if (isSecret && !isNoValue(value)) {
      edits.push({ kind: 'key', start, end, mark: '[REDACTED:KEY]' });
      ASSIGNMENT.lastIndex = end;
    } else if (value.length > LOOKED_INTO && opens === undefined) ASSIGNMENT.lastIndex = end;
  }
  return edits;
};

function unquotedEnd(text: string, start: number): number {
  UNQUOTED.lastIndex = start;
  return UNQUOTED.test(text) ? UNQUOTED.lastIndex : start;
}

function isNoValue(value: string): boolean {
  return value === '' || isMark(value) || NOTHING.test(value) || HAS_SCHEME.test(value);
}

/** After a plain colon prose is likelier: "password: must be longer". `pwd` is a folder as well. */
function isPassword(value: string, isFirm: boolean): boolean {
  if (value.startsWith('/')) return false;
  return isFirm || /\d|[^A-Za-z.'’-]/.test(value) || /[a-z][A-Z]/.test(value);
}

function isOtherSecret(value: string, isFirm: boolean): boolean {
  if (NUMBER.test(value) || /\s/.test(value)) return false;
  if (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  const isNamed = /^[A-Za-z]+(?:[-_.:/][A-Za-z]+)+$/.test(value);
  return value.length >= 16 && !isNamed && (isFirm || /[a-z][A-Z]/.test(value));
}

/** Words, also as parts of names (`API_KEY`, `accessToken`); never those of our own marks. */
const NEAR = nearWords();
const RUN = /[A-Za-z0-9_+/=-]{20,}/g;

/**
 * Long random runs on a line that speaks of keys. The line and no distance: marks are shorter than what
 * they stand for, and a distance would let the second pass see what the first did not.
 */
export const secretsNearWords: Rule = (text) => {
  const edits: Edit[] = [];
  let line = { end: -1, isNear: false };
  for (const { 0: run, index: start } of text.matchAll(RUN)) {
    if (!looksRandom(run)) continue;
    if (start >= line.end) line = lineAt(text, start);
    const end = start + run.length;
    if (line.isNear) edits.push({ kind: 'key', start, end, mark: '[REDACTED:KEY]' });
  }
  return edits;
};

function lineAt(text: string, at: number): { end: number; isNear: boolean } {
  const newline = text.indexOf('\n', at);
  const end = newline === -1 ? text.length : newline;
  return { end, isNear: NEAR.test(text.slice(text.lastIndexOf('\n', at) + 1, end)) };
}

function nearWords(): RegExp {
  const words = ['api', '(?:api|access|auth|secret|private)?(?:key|token|secret)', 'password'];
  const lower = [...words, 'passwd', 'pwd', 'credential'].join('|');
  const capital = 'Api|API|Key|Token|Secret|Password|Passwd|Pwd|Credential';
  const upper = lower.replace(/[a-z]+/g, (word) => word.toUpperCase());
  const alone = `(?:(?<![A-Za-z\\\\])|(?<=\\\\[nrt]))(?:${lower}|${upper}|${capital})`;
  return new RegExp(
    `(?<!\\[REDACTED:[A-Z_]{0,12})(?:${alone}|(?<=[a-z])(?:${capital}))s?(?![a-z])`,
  );
}
