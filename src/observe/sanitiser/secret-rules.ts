/** Secrets that are known by their own form, wherever they stand. */
import { BEGINS } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

/** ANSI sequences whole, so that their letters do not stay behind; then every control and format sign. */
const ESCAPE = String.fromCharCode(0x1b);
const ESCAPES = new RegExp(`${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|[@-Z\\\\-_])`, 'g');
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const PLAIN = /^[\n\t -~]*$/;

/** A sign nobody sees inside a key would hide it from every rule behind these two. */
export const escapes: Rule = (text) =>
  text.includes(ESCAPE) ? matches(ESCAPES, text, 'control', '') : [];

export const controls: Rule = (text) =>
  PLAIN.test(text) ? [] : matches(CONTROLS, text, 'control', '');

/** A block without its end is cut off there: what follows is the key. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;

export const privateKeys: Rule = (text) =>
  text.includes('PRIVATE KEY')
    ? matches(PRIVATE_KEY, text, 'private_key', '[REDACTED:PRIVATE_KEY]')
    : [];

/** Forms that no word has. */
const DISTINCT = [
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'gl(?:pat|dt|rt|ptt|ft|cbt|imt|soat|agent)-[A-Za-z0-9_-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{16,}',
  'xapp-[A-Za-z0-9-]{16,}',
  'AIza[A-Za-z0-9_-]{30,}',
  'ya29\\.[A-Za-z0-9_-]{20,}',
  'GOCSPX-[A-Za-z0-9_-]{20,}',
  'dckr_pat_[A-Za-z0-9_-]{20,}',
  'dop_v1_[a-f0-9]{32,}',
  'lin_api_[A-Za-z0-9]{20,}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{40,}',
  '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}',
  'whsec_[A-Za-z0-9+/=]{16,}',
];
/** Forms that a longer word could end in. */
const AT_A_BEGINNING = [
  'sk-[A-Za-z0-9_-]{17,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}',
  'npm_[A-Za-z0-9]{24,}',
  'pypi-[A-Za-z0-9_-]{32,}',
  'hone_[A-Za-z0-9_-]{24,}',
  '(?:hf|r8)_[A-Za-z0-9]{20,}',
  'gsk_[A-Za-z0-9]{20,}',
  '(?:xai|pplx|tvly|tskey)-[A-Za-z0-9-]{16,}',
  'sq0[a-z]{3}-[A-Za-z0-9_-]{20,}',
  'hv[sbr]\\.[A-Za-z0-9_-]{20,}',
  'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}',
  'dapi[a-f0-9]{32,}',
  'key-[a-f0-9]{32,}',
];
const API_KEY = new RegExp(`${DISTINCT.join('|')}|${BEGINS}(?:${AT_A_BEGINNING.join('|')})`, 'g');
/** No key is shorter, and most texts have no run as long: only in those it is looked for keys. */
const LONG_RUN = /[A-Za-z0-9_.+/=-]{20,}/g;
/** `sk-learn-like-classifiers`: a name after all. */
const NAME = /^[a-z_-]+$/;
/** As far as `BEGINS` looks back. */
const LOOKED_BACK = 6;

export const apiKeys: Rule = (text) => {
  const edits: Edit[] = [];
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    const from = Math.max(0, index - LOOKED_BACK);
    const part = text.slice(from, index + run.length);
    for (const { 0: key, index: at } of part.matchAll(API_KEY)) {
      if (NAME.test(key)) continue;
      const start = from + at;
      edits.push({ kind: 'api_key', start, end: start + key.length, mark: '[REDACTED:API_KEY]' });
    }
  }
  return edits;
};

const JWT_PART = /[A-Za-z0-9_-]*/y;
const JWT_PART_LENGTH_MIN = 6;

/**
 * Header and payload, with or without a signature. By hand: a run of `-eyJ-eyJ…` without a dot would be
 * read to its end from each of them; here what was read is never read again.
 */
export const jsonWebTokens: Rule = (text) => {
  const edits: Edit[] = [];
  let start = text.indexOf('eyJ');
  while (start !== -1) {
    const ends = [partEnd(text, start)];
    while (text[ends.at(-1)!] === '.' && ends.length < 5)
      ends.push(partEnd(text, ends.at(-1)! + 1));
    const payload = ends.length > 1 ? ends[1]! - ends[0]! - 1 : 0;
    const isToken = ends[0]! - start >= JWT_PART_LENGTH_MIN && payload >= JWT_PART_LENGTH_MIN;
    const end = isToken ? ends.at(-1)! : ends[0]!;
    if (isToken) edits.push({ kind: 'jwt', start, end, mark: '[REDACTED:JWT]' });
    start = text.indexOf('eyJ', end);
  }
  return edits;
};

function partEnd(text: string, start: number): number {
  JWT_PART.lastIndex = start;
  JWT_PART.exec(text);
  return JWT_PART.lastIndex;
}

const BEARER = /bearer(?:\s{1,4}|%20|\+)([A-Za-z0-9._~+/=-]+)/gi;
/** "Bearer token missing": a word, not a token. */
const WORD = /^[A-Za-z]?[a-z]{0,14}[.:,]?$/;

export const bearerTokens: Rule = (text) => {
  const edits: Edit[] = [];
  if (!/bearer/i.test(text)) return edits;
  for (const match of text.matchAll(BEARER)) {
    if (WORD.test(match[1]!)) continue;
    const end = match.index + match[0].length;
    edits.push({ kind: 'bearer', start: match.index, end, mark: 'Bearer [REDACTED]' });
  }
  return edits;
};

function matches(pattern: RegExp, text: string, kind: Edit['kind'], mark: string): Edit[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => {
    return { kind, start: index, end: index + length, mark };
  });
}
