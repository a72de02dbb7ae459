/**
 * Tokens that look made up, beside a word that speaks of secrets: "creds are svc / Cl27m#SAUQaD~An0", "sign in with …".
 * The word is near and says what it is about; the token shows by its signs that it is neither a word nor a number.
 */
import type { Found } from './found.ts';
import { isMadeByHand } from './made-by-hand.ts';
import { isPlaceholder, isWordy } from './placeholder.ts';
import { isPublicRun } from './public-runs.ts';
import { hasAllKinds, isMark, kindChanges, UUID } from './shapes.ts';
import { isLetterCode } from './signs.ts';

/** How far from the word, on its line. */
const AROUND = 140;

const TOPIC =
  /^(?:pass(?:words?|wd|phrase|code|wor[dt]|wörter)?|pwds?|pw|kennwort|contraseña|contrasena|clave|senha|chave|secrets?|tokens?|credentials?|creds?|keys?|api[-_]?keys?|auth(?:entication|orization|enticat(?:e|ed|ing))?|accesso|clave|log(?:ged|ging)?|login|logins|sign(?:ed|ing)?|pin|otp|totp|wif|identified|convertto-securestring|getconnection|connect|unlock|private|mnemonic|passkey|schl|cl|zugang(?:sdaten)?|mdp|bearer|vault|root-passwort|signin|sudo|su|chiave|accesso|segreto|segredo|wachtwoord|sleutel|geheim|geheimnis|toegang|klucz|parola|anahtar|lozinka|nyckel|adgangskode|kodeord|salasana|heslo|jelsz|llave|jeton|identifiants|zugangscode|sandi|sifre|kl)$/i;
/** `Schlüssel`, `clé`, `klíč`, `jelszó`: words end at letters outside ASCII. */
const OTHER_LETTERS: ReadonlySet<number> = new Set([0xfc, 0xe9, 0xed, 0xf3]);
const NOT_TOPIC =
  /(?:public|publishable|primary|foreign|sort|partition|cache|cached|idempotency|input|output|prompt|completion|reasoning|thinking|max|total|next|stop|special|num|count|per)[-_ ]{0,2}$/i;

/** At a word that may speak of secrets: whether it does. */
export function isTopic(text: string, start: number, end: number): boolean {
  if (end - start > 32) return false;
  // `password-command`, `passwordField`: what begins with the word speaks of it as well.
  if (/^(?:password|passphrase|credential|secret)[-_A-Z]/.test(text.slice(start, start + 16)))
    return true;
  let from = end;
  while (from > start && isLetterCode(text.charCodeAt(from - 1))) from -= 1;
  if (end - from < 2) return false;
  const word = text.slice(from, end);
  if (!TOPIC.test(word) && (from === start || !TOPIC.test(text.slice(start, end)))) return false;
  const next = text.charCodeAt(end);
  if (/^(?:schl|cl|kl|jelsz)$/i.test(word)) return OTHER_LETTERS.has(next);
  return !NOT_TOPIC.test(text.slice(Math.max(0, from - 14), from));
}

const OTHER_TOPICS = [
  'パスワード',
  '密码',
  '密碼',
  '비밀번호',
  'пароль',
  'Пароль',
  'ключ',
  'токен',
  '口令',
  '密钥',
  '密鑰',
  '令牌',
  'トークン',
  '暗証番号',
  '암호',
  '토큰',
  'şifre',
  'Şifre',
  'ösenord',
  'รหัสผ่าน',
  'mật khẩu',
  'ło',
  'كلمة المرور',
  'סיסמה',
];
export const TOPIC_LETTERS: ReadonlySet<number> = new Set(
  OTHER_TOPICS.map((word) => word.charCodeAt(0)),
);

/** The same in letters outside ASCII. */
export function isTopicWord(text: string, at: number): boolean {
  return OTHER_TOPICS.some((word) => text.startsWith(word, at));
}

/** On the lines of the words given, in their order: of the words that have digits among letters or change case. */
export function strongTokens(found: Found, topics: readonly number[]): void {
  const { text, oddWords } = found;
  let next = 0;
  let answered = -1;
  let clearUntil = 0;
  for (const at of topics) {
    while (next < oddWords.length && oddWords[next]! < at - AROUND) next += 1;
    while (next < oddWords.length && oddWords[next]! < at + AROUND) {
      const word = oddWords[next]!;
      next += 1;
      if (isOnLine(text, Math.min(at, word), Math.max(at, word))) judgeWord(found, word);
    }
    if (at < answered) continue;
    // What was found to have no newline for the topic before is not read again.
    const newline = lineEndWithin(text, at, Math.max(at, clearUntil));
    clearUntil = newline;
    if (text[newline] !== '\n' || isClosed(text, newline)) continue;
    answered = newline;
    answerLine(found, newline + 1);
  }
}

/** A sentence that is over, or a remark in parentheses, asks for nothing. */
function isClosed(text: string, newline: number): boolean {
  const last = text[newline - 1];
  return last === '.' || last === ')';
}

function isOnLine(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) return false;
  return true;
}

function lineEndWithin(text: string, at: number, from: number): number {
  let end = from;
  while (end < text.length && end - at < AROUND && text.charCodeAt(end) !== 10) end += 1;
  return end;
}

/** The next line, where it is one token and nothing else: the answer to a question. Returns where it ends. */
function answerLine(found: Found, start: number): number {
  for (let at = start; at < start + 8; at++)
    if (at >= found.text.length || found.text.charCodeAt(at) === 10) return start;
  const line = /^[\s>$]{0,8}(?:send\s)?["'`]?([^\s"'`]{8,128})["'`]?(?:\\r)?[ \t]*(?=\n|$)/.exec(
    found.text.slice(start, start + 160),
  );
  if (line === null || line[1]!.includes('[REDACTED')) return start;
  const at = start + line[0].lastIndexOf(line[1]!);
  if (isStrong(line[1]!) || isHexKey(found.text, line[1]!, at))
    found.secret(at, at + line[1]!.length);
  return start;
}

const ENDS_TOKEN = /[\s"'`,;()<>[\]{}|“”‘’«»\\]/;
const TOKEN_LENGTH_MAX = 160;
const STOP = /[.:!?…]+$/;

/** The token that a word is in, between blanks and quotes, without what a colon separates from it. */
function tokenOf(
  text: string,
  word: number,
): { token: string; start: number; end: number } | undefined {
  let start = word;
  while (start > 0 && word - start < TOKEN_LENGTH_MAX && !ENDS_TOKEN.test(text[start - 1]!))
    start -= 1;
  let end = word;
  while (end < text.length && end - start < TOKEN_LENGTH_MAX && !ENDS_TOKEN.test(text[end]!))
    end += 1;
  const whole = text.slice(start, end).replace(STOP, '');
  // What a name of its own stands before is judged by that name.
  if (/[=@]|:\/\/|^\/|^~\//.test(whole) || /[=@]/.test(text[start - 1] ?? '')) return undefined;
  const colon = whole.lastIndexOf(':') + 1;
  return { token: whole.slice(colon), start: start + colon, end };
}

function judgeWord(found: Found, word: number): void {
  if (word < found.judgedUntil || found.secretRuns.has(word)) return;
  const candidate = tokenOf(found.text, word);
  if (candidate === undefined) return;
  const { token, start, end } = candidate;
  found.judgedUntil = end;
  if (isMark(token) || !(isStrong(token) || isHexKey(found.text, token, start))) return;
  if (isNamedOtherwise(found.text, start) || isPublicRun(found.text, start, token)) return;
  found.secret(start, start + token.length);
}

/** Hex as long as a key's, with nothing before it that makes it a hash. */
function isHexKey(text: string, token: string, start: number): boolean {
  if (!/^(?=.*[a-f])(?=.*\d)[0-9a-f]{32,128}$/i.test(token) || isMadeByHand(token)) return false;
  return !/\b(?:sha-?\d|md5|checksum|digest|commit|hash|trace|span|etag|id)/i.test(
    text.slice(Math.max(0, start - 160), start),
  );
}

/** Whether a token looks made up that was too far from the words about secrets: with less between, it may not be. */
export function leavesStrong({ text, topics, oddWords }: Found): boolean {
  if (topics.length === 0) return false;
  return oddWords.some((word) => {
    const token = tokenOf(text, word)?.token;
    return token !== undefined && (isStrong(token) || /^[0-9a-f]{32,}$/i.test(token));
  });
}

/** `request_id: …`, `commit …`, `sha256:…`: the value of something that is no secret. */
const OTHERWISE =
  /(?:id|ids|hash|sha\d{0,3}|md5|commit|digest|checksum|etag|rev|fingerprint|thumbprint|trace|span|request|session|version|model|image|tag|name|file|path|url|host|branch|build|run|job|pod|node|container|ref|nonce|public|cert|serial|uuid|user|username|email|account|region|bucket)["'`]?\s{0,2}[:=]?\s{0,2}["'`]?$/i;

function isNamedOtherwise(text: string, start: number): boolean {
  return OTHERWISE.test(text.slice(Math.max(0, start - 24), start));
}

const LENGTH_MIN = 8;
const CHANCE_LENGTH_MIN = 12;
const PART_LENGTH_MIN = 7;
/** Beside a word that speaks of secrets less is needed than by itself. */
const KIND_CHANGES = 0.28;

/** Kubernetes gives these to machines that join. */
const BOOTSTRAP = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;
/** Letters alone: in camel case every fourth changes, in chance every second. */
const CASE_CHANGES = 0.4;

function isMadeUpPart(part: string): boolean {
  const letters = part.replace(/\d/g, '');
  if (isWordy(letters)) return false;
  if (letters.length === part.length) return kindChanges(part) > (part.length - 1) * CASE_CHANGES;
  return hasAllKinds(part) && letters.length >= 4;
}

function isMadeUp(token: string): boolean {
  if (!hasAllKinds(token) || /^[A-Za-z]+\d+$/.test(token)) return false;
  return kindChanges(token) > (token.length - 1) * KIND_CHANGES;
}

/** Whether a token shows by itself that somebody made it up. */
export function isStrong(token: string): boolean {
  if (token.length < LENGTH_MIN || !/[A-Za-z]/.test(token)) return false;
  if (isPlain(token) || UUID.test(token)) return false;
  return looksMadeUp(token) && !isPlaceholder(token) && !isMadeByHand(token);
}

function looksMadeUp(token: string): boolean {
  if (/[A-Za-z0-9][!#$^&*~+?%][A-Za-z0-9]/.test(token)) return isMixture(token);
  if (isPassphrase(token) || BOOTSTRAP.test(token)) return true;
  if (isIdentifier(token) || isWordy(token)) return false;
  if (token.length >= CHANCE_LENGTH_MIN && isMadeUp(token)) return true;
  return token.split(/[-_.]/).some((part) => part.length >= PART_LENGTH_MIN && isMadeUpPart(part));
}

/** Versions, dates, hashes, files, routes, ids. */
function isPlain(token: string): boolean {
  return (
    /^v?\d+(?:[.:_T/-]\d+)*[A-Za-z+.-]{0,12}\d{0,4}$/.test(token) ||
    /^(?:0x)?[0-9a-f]+$/i.test(token) ||
    (/\.[a-z]{1,5}\d?(?::\d+)*$/.test(token) && !/[a-z][A-Z]|[A-Z]\d|\d[a-z]*[A-Z]/.test(token)) ||
    /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[-_./](?:[a-z]+|[A-Z]+|[A-Z][a-z]+))*[-_.]?\d{0,4}$/.test(
      token,
    ) ||
    /^sha\d{1,3}-/.test(token) ||
    /^(?:[\w.-]+\/){2,}/.test(token)
  );
}

/** Letters and digits on its sides, in no form of code: `a[0]+b`, `x2*y`, `page2#top` are none. */
function isMixture(token: string): boolean {
  if (/^[\w.]+[+*%^&?][\w.]+$/.test(token) && !/[A-Z]/.test(token)) return false;
  if (/^\$|\$\{|%[0-9A-Fa-f]{2}/.test(token)) return false;
  return /\d/.test(token)
    ? /[A-Za-z]{2}/.test(token)
    : /[a-z][A-Z].*[^A-Za-z].*[A-Za-z]/.test(token);
}

/** Words with a number between them, as people are told to make them up: `marble-pigeon-313-pigeon`. */
function isPassphrase(token: string): boolean {
  if (!/[A-Za-z]{4}[-_. ]\d{2,5}[-_. ]|^\d{2,5}[-_. ]|[-_. ]\d{2,5}$/.test(token)) return false;
  const parts = token.split(/[-_. ]/);
  const words = parts.filter((part) => /^[A-Za-z]{4,}$/.test(part));
  const numbers = parts.filter((part) => /^\d{2,5}$/.test(part));
  return (
    words.length >= 3 &&
    numbers.length === 1 &&
    !/^20[0-3]\d$/.test(numbers[0]!) &&
    words.length + 1 === parts.length
  );
}

/** `call_Xk29fjQ0aLmZ7`: something's name for itself. */
function isIdentifier(token: string): boolean {
  return /^[a-z]{2,12}[_-][A-Za-z0-9]{6,40}$/.test(token);
}
