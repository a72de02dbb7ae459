/** Secrets recognised by their own form, anywhere. */
import { fromBase64, isChance } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

/** ANSI sequences whole, so that their letters do not stay behind; then every control and format sign. */
const ESCAPE = String.fromCharCode(0x1b);
const ESCAPES = new RegExp(`${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|[@-Z\\\\-_])`, 'g');
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const PLAIN = /^[\n\t -~]*$/;

/** An invisible character inside a key would hide it from every rule after these two. */
export const escapes: Rule = (text) =>
  text.includes(ESCAPE) ? matches(ESCAPES, text, 'control', '') : [];

export const controls: Rule = (text) =>
  PLAIN.test(text) ? [] : matches(CONTROLS, text, 'control', '');

/** A block without its end is cut off there: what follows is the key. */
const PRIVATE_KEY =
  /-----BEGIN(?:[A-Z0-9 +]|%20){1,40}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)?-----[\s\S]*?(?:-----END(?:[A-Z0-9 +]|%20){1,40}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)?-----|$)/g;

export const privateKeys: Rule = (text) =>
  text.includes('PRIVATE')
    ? matches(PRIVATE_KEY, text, 'private_key', '[REDACTED:PRIVATE_KEY]')
    : [];

/** The same in base64, as Kubernetes keeps it: `-----BEGIN `. Certificates look alike at first. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}={0,2}/g;
/** As much of it as holds the first line. */
const ENCODED_PEM_HEAD = 80;

export const encodedPrivateKeys: Rule = (text) =>
  text.includes('LS0tLS1CRUdJTi')
    ? matches(ENCODED_PEM, text, 'private_key', '[REDACTED:PRIVATE_KEY]').filter(({ start }) =>
        Buffer.from(text.slice(start, start + ENCODED_PEM_HEAD), 'base64').includes('PRIVATE KEY'),
      )
    : [];

/** bcrypt, crypt, argon2, scrypt: a password's hash is tried out at leisure. */
const PASSWORD_HASH =
  /\$(?:2[abxy]|[156y]|7|apr1|argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha\d{1,3})?)\$[A-Za-z0-9./$=,+-]{20,}/g;

export const passwordHashes: Rule = (text) =>
  text.includes('$') ? matches(PASSWORD_HASH, text, 'key', '[REDACTED:KEY]') : [];

/** As long as an AWS secret key, which has no other mark; a SHA-1 in hex is as long and has one case. */
const FORTY = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])/g;

export const bareSecrets: Rule = (text) =>
  text.length < 40
    ? []
    : matches(FORTY, text, 'key', '[REDACTED:KEY]').filter(({ start, end }) =>
        isChance(text.slice(start, end)),
      );

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
const WORD = /^(?:[A-Za-z]?[a-z]{0,14}|[a-z]{1,14}(?:_[a-z]{1,14}){1,3})[.:,=]?$/;

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

const BASIC = /basic(?:\s{1,4}|%20|\+)([A-Za-z0-9+/_-]{6,}={0,2})/gi;

/** `Basic` and a user with a password in base64, anywhere; "basic authentication" is not one. */
export const basicAuthorizations: Rule = (text) => {
  const edits: Edit[] = [];
  if (!/basic/i.test(text)) return edits;
  for (const match of text.matchAll(BASIC)) {
    if (fromBase64(match[1]!)?.includes(':') !== true) continue;
    const end = match.index + match[0].length;
    edits.push({ kind: 'basic', start: match.index, end, mark: 'Basic [REDACTED]' });
  }
  return edits;
};

function matches(pattern: RegExp, text: string, kind: Edit['kind'], mark: string): Edit[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => {
    return { kind, start: index, end: index + length, mark };
  });
}
