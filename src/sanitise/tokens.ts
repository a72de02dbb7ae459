/** Secrets recognised by their own form, anywhere: PEM, JWT, `Bearer`, `Basic`, password hashes, elements. */
import type { Found } from './found.ts';
import { isPlaceholder } from './placeholder.ts';
import { nameOf } from './secret-names.ts';
import { fromBase64, isMark, lineStart, matchEnd } from './shapes.ts';

const GAP = '(?:[ +]|%20|_)';
const PEM_BEGIN = new RegExp(
  `-----BEGIN(?:(?:[A-Z0-9 +]|%20){1,40}PRIVATE${GAP}KEY(?:${GAP}BLOCK)?| OpenVPN Static key V1)-----`,
  'y',
);
const PEM_END =
  /-----END(?:(?:[A-Z0-9 +]|%20){1,40}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)?| OpenVPN Static key V1)-----/g;
/** A certificate is public; nothing but its own lines is passed over. */
const PUBLIC_MAX = 16 * 1024;
const PUBLIC_BODY = /^(?:\s*(?:Version|Comment|Hash): [^\n]{0,80}\n)*[A-Za-z0-9+/=\s\\]*$/;
const PEM_OPEN =
  /-----BEGIN [A-Z0-9 ]{0,30}(?:CERTIFICATE|PUBLIC KEY|PUBLIC KEY BLOCK|CERTIFICATE REQUEST|SIGNATURE|CRL)-----/y;

/** At `-----`. A block without its end is cut off there: what follows is the key. Returns where the block ends. */
export function pemAt(found: Found, at: number): number | undefined {
  const { text } = found;
  if (!text.startsWith('-----BEGIN', at)) return undefined;
  const open = matchEnd(PEM_OPEN, text, at);
  if (open > at) {
    const body = text.slice(open, open + PUBLIC_MAX);
    const end = body.indexOf('-----END');
    return end === -1 || !PUBLIC_BODY.test(body.slice(0, end)) ? undefined : open + end;
  }
  const body = matchEnd(PEM_BEGIN, text, at);
  if (body === at) return undefined;
  PEM_END.lastIndex = body;
  const last = PEM_END.exec(text);
  const end = last === null ? text.length : last.index + last[0].length;
  const inside = text.slice(body, last === null ? end : last.index);
  // Without an end it is a key that was cut off, however little of it is there.
  if (last !== null && inside.length < 40 && /^[\s.…x*-]*$/.test(inside.replace(/\\[nr]/g, '')))
    return undefined;
  found.add('private_key', at, end, '[REDACTED:PRIVATE_KEY]');
  return end;
}

/** PEM in base64, as Kubernetes keeps it: `-----BEGIN `. Certificates look alike at first. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}={0,2}/y;
/** As much of it as holds the first line. */
const ENCODED_PEM_HEAD = 80;

export function encodedPemAt(found: Found, at: number): void {
  const end = matchEnd(ENCODED_PEM, found.text, at);
  if (end === at) return;
  const head = Buffer.from(found.text.slice(at, at + ENCODED_PEM_HEAD), 'base64');
  if (head.includes('PRIVATE KEY')) found.add('private_key', at, end, '[REDACTED:PRIVATE_KEY]');
}

const JWT_PART = /[A-Za-z0-9_-]*/y;
const JWT_PART_LENGTH_MIN = 6;

/** Header and payload, with or without a signature. Returns where what was read ends. */
export function jwtAt(found: Found, start: number): number {
  const { text } = found;
  const ends = [matchEnd(JWT_PART, text, start)];
  while (text[ends.at(-1)!] === '.' && ends.length < 5)
    ends.push(matchEnd(JWT_PART, text, ends.at(-1)! + 1));
  const payload = ends.length > 1 ? ends[1]! - ends[0]! - 1 : 0;
  const isToken = ends[0]! - start >= JWT_PART_LENGTH_MIN && payload >= JWT_PART_LENGTH_MIN;
  if (!isToken) return ends[0]!;
  found.add('jwt', start, ends.at(-1)!, '[REDACTED:JWT]');
  return ends.at(-1)!;
}

const BEARER = /bearer(?:\s{1,4}|%20|\+)(["']?)([A-Za-z0-9._~+/=-]+)/iy;
/** "Bearer token missing": a word, not a token. */
const WORD = /^(?:[A-Za-z]?[a-z]{0,14}|[a-z]{1,14}(?:_[a-z]{1,14}){1,3})[.:,=]?$/;

export function bearerAt(found: Found, at: number): void {
  BEARER.lastIndex = at;
  const match = BEARER.exec(found.text);
  if (match === null || WORD.test(match[2]!) || isPlaceholder(match[2]!)) return;
  if (found.text.startsWith('Bearer [REDACTED', at)) return;
  found.add('bearer', at, at + match[0].length, 'Bearer [REDACTED]');
}

const BASIC = /basic(?:\s{1,4}|%20|\+)([A-Za-z0-9+/_-]{6,}={0,2})/iy;

/** `Basic` and a user with a password in base64, anywhere; "basic authentication" is not one. */
export function basicAt(found: Found, at: number): void {
  BASIC.lastIndex = at;
  const match = BASIC.exec(found.text);
  if (match === null || fromBase64(match[1]!)?.includes(':') !== true) return;
  found.add('basic', at, at + match[0].length, 'Basic [REDACTED]');
}

/** bcrypt, crypt, argon2, scrypt: a password's hash is tried out at leisure. */
const PASSWORD_HASH =
  /\$(?:2[abxy]|[156y]|7|apr1|argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha\d{1,3})?)\$[A-Za-z0-9./$=,+-]{20,}/y;

export function passwordHashAt(found: Found, at: number): number {
  const end = matchEnd(PASSWORD_HASH, found.text, at);
  if (end > at) found.secret(at, end);
  return Math.max(end, at + 1);
}

const ELEMENT = /<([A-Za-z_][A-Za-z0-9_:.-]{0,60})(\s[^<>\n]{0,200})?>([^<\n]{1,300})<\//y;

const ATTRIBUTE = /\s(?:key|name|id)=["']([\w.-]{1,60})["']/;

/** `<password>…</password>`, `<entry key="db.password">…`. */
export function elementAt(found: Found, at: number): void {
  const { text } = found;
  ELEMENT.lastIndex = at;
  const match = ELEMENT.exec(text);
  if (match === null) return;
  const [whole, tag, attributes, value] = match;
  const name = ATTRIBUTE.exec(attributes ?? '')?.[1];
  const named = nameOf(tag!) ?? (name === undefined ? undefined : nameOf(name));
  if (named === undefined || named.isShort || named.kind === 'key') return;
  if (isMark(value!) || value!.trim() === '' || isPlaceholder(value!.trim())) return;
  const start = at + whole.length - 2 - value!.length;
  found.secret(start, start + value!.length);
}

/** Telegram's bots and Firebase's servers: a number or a short name, a colon, and the secret. */
const BOT = /(?<![A-Za-z0-9_:-])(?:bot)?\d{6,12}:([A-Za-z0-9_-]{33,45})(?![A-Za-z0-9_-])/y;
const SERVER = /(?<![A-Za-z0-9_:-])AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{120,}/y;

/** At the beginning of a word that a colon follows. A time before a colon is followed by words; a bot's number by chance. */
export function botAt(found: Found, start: number): void {
  BOT.lastIndex = start;
  const bot = BOT.exec(found.text);
  const isBot =
    bot !== null && (bot[1]!.startsWith('AA') || /(?=.*[A-Z])(?=.*[a-z])\d/.test(bot[1]!));
  const end = isBot ? BOT.lastIndex : matchEnd(SERVER, found.text, start);
  if (end > start) found.add('api_key', start, end, '[REDACTED:API_KEY]');
}

/** `.pgpass`: `host:port:database:user:password`, one to a line. */
const PGPASS =
  /^[ \t"']{0,8}[A-Za-z0-9_.*-]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:([^\s:"']{1,200})["']?$/;
const PGPASS_REST = /:(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:[^\s:]/y;
const LINE_MAX = 500;

/** At the first colon of its line. */
export function pgpassAt(found: Found, colon: number): void {
  const { text } = found;
  if (matchEnd(PGPASS_REST, text, colon) === colon) return;
  const start = lineStart(text, colon, 110);
  if (start === undefined || text.slice(start, colon).includes(':')) return;
  const newline = text.indexOf('\n', colon);
  const end = newline === -1 ? text.length : newline;
  if (end - start > LINE_MAX) return;
  const secret = PGPASS.exec(text.slice(start, end))?.[1];
  if (secret === undefined || isMark(secret) || isPlaceholder(secret)) return;
  const at = text.lastIndexOf(secret, end);
  found.secret(at, at + secret.length);
}
