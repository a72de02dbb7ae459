/** `password=…`, `"api_key": "…"`, `pw: …`, `<token>…</token>`: a name, a sign between, and the secret. */
import { isSecret, NAME_GROUPS, NAME_PATTERN, nameOf } from './assigned-names.ts';
import { endOfValue, isMark, quoteBefore } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

const QUOTE = `\\\\{0,7}["'\`]|%22`;
/** Kubernetes and XML put the word "value" between: `name: DB_PASSWORD`, `value: …`. */
const VALUE = `\\s{0,20},?(?:\\\\{1,7}n)?\\s{0,20}\\\\{0,7}["']?value(?:\\\\{0,7}["'])?\\s{0,2}[:=]`;
const ASSIGNMENT = new RegExp(
  `(?:${NAME_PATTERN})([A-Za-z0-9_-]{0,24})(${QUOTE})?(?:\\s{0,2}(=>|:=|={1,3}|:|%3[AD])|(${VALUE})|\\s(is|was)(?=\\s))\\s{0,2}(${QUOTE})?`,
  'gi',
);
/** Names inside a longer value are not looked for: each would read it to its end again. */
const LOOKED_INTO = 200;
const UNQUOTED = /(?:[^\s"'`,;&<>(){}[\]|\\]|\\(?![nrtu"'`\\]))+/y;
/** Behind an escaped sign, an escaped `&` or quote ends the value too. */
const ESCAPED = /(?:[^\s"'`,;&<>(){}[\]|\\%]|%(?!2[26])|\\(?![nrtu"'`\\]))+/y;
/** In the environment's lines a value goes on to a space, whatever signs it has. */
const IN_ENVIRONMENT = /(?:[^\s"'`;&\\]|\\(?![nrtu"'`\\]))+/y;
const ESCAPED_QUOTE = '%22';

export const assignments: Rule = (text) => {
  const edits: Edit[] = [];
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const [suffix, , sign, value, said, opens] = match.slice(1 + NAME_GROUPS);
    const groups = match.slice(1, 1 + NAME_GROUPS);
    const name = nameOf(
      groups,
      suffix ?? '',
      text.slice(Math.max(0, match.index - 8), match.index),
    );
    const start = match.index + match[0].length;
    if (name === undefined) {
      // Another name may follow the word: `pass_token=…`.
      ASSIGNMENT.lastIndex = match.index + groups.find((group) => group !== undefined)!.length;
      continue;
    }
    const end = valueEnd(text, start, {
      sign,
      opens,
      isEnvironment: isEnvironment(text, match, sign),
    });
    const isFirm =
      opens !== undefined || value !== undefined || (sign !== ':' && said === undefined);
    const assigned = {
      value: text.slice(start, end),
      isFirm,
      isQuoted: opens !== undefined,
      isSaid: said !== undefined,
    };
    if (isSecret(name, assigned)) {
      edits.push({ kind: 'key', start, end, mark: '[REDACTED:KEY]' });
      ASSIGNMENT.lastIndex = end;
    } else if (end - start > LOOKED_INTO && opens === undefined) ASSIGNMENT.lastIndex = end;
  }
  return edits;
};

interface Place {
  readonly sign: string | undefined;
  readonly opens: string | undefined;
  readonly isEnvironment: boolean;
}

function valueEnd(text: string, start: number, { sign, opens, isEnvironment }: Place): number {
  if (opens === ESCAPED_QUOTE || sign?.startsWith('%')) return matchEnd(ESCAPED, text, start);
  if (opens !== undefined) return endOfValue(text, start, quoteBefore(text, start));
  const isFree = isEnvironment && !isMark(text.slice(start, start + 20));
  return matchEnd(isFree ? IN_ENVIRONMENT : UNQUOTED, text, start);
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** `DB_PASSWORD=…` at the beginning of a line, or behind `export`. */
function isEnvironment(text: string, match: RegExpExecArray, sign: string | undefined): boolean {
  if (sign !== '=' || /[a-z"'`\s]/.test(match[0])) return false;
  const before = text.slice(Math.max(0, match.index - 48), match.index);
  return /(?:^|\n|\\n|export |ENV |env |-e )[A-Z0-9_]*$/.test(before);
}

const ELEMENT = /<([A-Za-z_][A-Za-z0-9_:.-]{0,60})>([^<\n]{1,300})<\//g;
const ELEMENT_NAME =
  /(?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key)$/i;

/** `<password>…</password>`. */
export const elements: Rule = (text) => {
  const edits: Edit[] = [];
  if (!text.includes('</')) return edits;
  for (const { 1: name, 2: value, index } of text.matchAll(ELEMENT)) {
    if (!ELEMENT_NAME.test(name!) || isMark(value!) || value!.trim() === '') continue;
    const start = index + name!.length + 2;
    edits.push({ kind: 'key', start, end: start + value!.length, mark: '[REDACTED:KEY]' });
  }
  return edits;
};
