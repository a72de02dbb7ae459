/** Secrets recognised by the rest of their line: headers, and long runs on a line with "key". */
import { endOfValue, looksRandom, type Quote, quoteBefore } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

const HEADER_NAMES = [
  '(?:proxy[-_])?authorization',
  'set[-_]cookie2?',
  'cookie',
  'x(?:[-_][a-z0-9]{1,20}){0,3}[-_](?:api)?(?:key|token|secret|signature|password)(?:[-_]256)?',
  'dd[-_](?:api|application)[-_]key',
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

/** The header itself is in quotes: `-H "Cookie: …"`. */
function outerQuote(text: string, start: number, closes: string | undefined): Quote | undefined {
  return closes === undefined ? quoteBefore(text, start) : undefined;
}

function headerEdit(value: string, start: number): Edit | undefined {
  const trimmed = value.trimEnd();
  const mark = /^bearer\s/i.test(trimmed) ? 'Bearer [REDACTED]' : '[REDACTED:HEADER]';
  if (trimmed === '' || trimmed === mark) return undefined;
  return { kind: 'header', start, end: start + trimmed.length, mark };
}

/** Words, also as parts of names (`API_KEY`, `accessToken`); never those of our own marks. */
const NEAR = nearWords();
const RUN = /(?<![A-Za-z0-9_+/=-])[A-Za-z0-9_+/=-]{20,}/g;

/**
 * Long random runs on a line that mentions keys. The line, not a distance: marks are shorter than what
 * they replace, and a distance would let the second pass see what the first did not.
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
