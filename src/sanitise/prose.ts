/** Secrets in sentences: "the password for bob is X", "logged in with password X", "seed phrase: …". */
import type { Found } from './found.ts';
import { isPlaceholder } from './placeholder.ts';
import { isSaidSecret } from './secret-values.ts';
import { isMark } from './shapes.ts';
import { isStrong } from './strong-tokens.ts';

const NOUN =
  '(?:pass(?:word|wd|phrase|code|wort)?|pwd|pw|kennwort|contraseñ?n?a|senha|mot de passe|secret|token|credentials?|api[ _-]?key|(?:access|secret|private|auth)[ _-]?(?:key|token)|key|pin|otp|login)s?';
const WHOSE = "(?:\\s(?:for|of|to|on|from|at|in|für|von|de|del|da)(?:\\s[\\w.@'’-]{1,40}){1,4}?)?";
const SAYS =
  '(?:\\s(?:is|was|are|were|ist|war|lautet|es|est|é|è|(?:has been |was |is |been )?(?:set|changed|reset|updated|rotated)(?: back)? to|now|becomes|will be|should be|equals|→|->|being))';
const SAID = new RegExp(
  `${NOUN}(?:${WHOSE}${SAYS}|\\s(?:for|of)\\s[\\w.@'’-]{1,40}(?=:))(?:\\s(?:now|still|just|simply|currently|again|always))?\\s?[:=]?\\s{1,2}(\\\\{0,7}["'\`“‘«(]{0,2})([^\\s"'\`”’»)\\\\]{4,128}|(?<=["'\`“])[^"'\`”\\n\\\\]{4,64}(?=\\\\{0,7}["'\`”]))`,
  'iy',
);
/** "with password X": only what prose does not have. */
const BESIDE =
  /(?:pass(?:word|wd|phrase|code|wort)|pwd|pw|kennwort|contrase(?:ñ|n)a|senha)(?:\s(?:of|as|like))?\s{1,2}(\\{0,7}["'`“]?)([^\s"'`”\\]{5,128})/iy;
const STOP = /[.,;:!?)\]}>]+$/;
/** And addresses, whole or with the parts that Hone hides: what the first pass lets stand, the second must. */
const VERSION = /^v?\d+(?:[._-]\d+)*[a-z]{0,3}$|^\d{1,3}(?:\.(?:\d{1,3}|x)){3}$/i;
const TECHNICAL =
  /^(?:n?varchar\S*|char\S*|text|(?:big)?int\d*|base64|base32|sha-?\d+|sha\d*|md5|utf-?\d+|http2?|oauth2?|aes-?\d*|rsa-?\d*|ed25519|x509|ipv[46]|p12|pkcs\d+|argon2\w*|bcrypt|pbkdf2|s3|k8s|log4j|gpt-?\d\S*|i18n|e2e|v\d+)$/i;

/** `requirepass X`, `db_password X`: a line of a configuration, at the blank behind the name. */
export function besideAt(found: Found, at: number): void {
  if (at < found.readUntil) return;
  BEHIND.lastIndex = at;
  const match = BEHIND.exec(found.text);
  if (match !== null) keepIfSecret(found, at, match);
}

const BEHIND = /[ \t]{1,4}(\\{0,7}["'`]?)([^\s"'`\\]{6,128})/y;

/** `process.env.DB_PASSWORD || 'x'`: what is taken where nothing is set. */
const INSTEAD = /[)\]"']{0,2}\s{0,2}(?:\|\||\?\?|or)\s{1,2}(["'`])([^"'`\n\\]{4,128})(?=\1)/y;

export function insteadAt(found: Found, at: number): void {
  INSTEAD.lastIndex = at;
  const match = INSTEAD.exec(found.text);
  if (match === null || isMark(match[2]!) || isPlaceholder(match[2]!)) return;
  if (!isSaidSecret(match[2]!) && !isStrong(match[2]!)) return;
  const end = at + match[0].length;
  found.secret(end - match[2]!.length, end);
}

/** At a word that names a secret. */
export function saidAt(found: Found, at: number): void {
  const { text } = found;
  if (at < found.readUntil) return;
  SAID.lastIndex = at;
  const said = SAID.exec(text);
  if (said !== null) {
    keepIfSecret(found, at, said);
    return;
  }
  BESIDE.lastIndex = at;
  const beside = BESIDE.exec(text);
  if (beside !== null && !/^(?:is|was|for|of|to)$/i.test(beside[2]!))
    keepIfSecret(found, at, beside);
}

function keepIfSecret(found: Found, at: number, match: RegExpExecArray): void {
  const [whole, opens, raw] = match;
  const value = raw!.replace(STOP, '');
  const start = at + whole.length - raw!.length;
  if (isMark(raw!) || raw!.startsWith('[') || isPlaceholder(value)) return;
  const isQuoted = opens !== '' && opens !== undefined && /["'`“]/.test(opens);
  const isSecret = isQuoted
    ? isSaidSecret(value) || /[^A-Za-z\s.,'-]/.test(value) || /[a-z][A-Z]/.test(value)
    : (isSaidSecret(value) || isStrong(value)) && !VERSION.test(value) && !TECHNICAL.test(value);
  if (!isSecret || /^https?:|^\/|@[\w.-]+\.\w/.test(value)) return;
  found.secret(start, start + value.length);
  found.readUntil = start + value.length;
}

/**
 * BIP 39: 12, 15, 18, 21 or 24 words of three to eight small letters. Prose has a shorter or longer word among twelve in
 * a row, and a stop; still a word must say what it is.
 */
const SEED =
  /(?:seed|mnemonic|recovery|backup|wallet|secret)(?:[ _-]?(?:phrases?|words?|seed|key))?["'`\\]{0,4}(?:\s(?:is|was|for\s\S{1,30}\sis))?\s{0,2}[:=]?[\s>]{0,4}["'`\\[]{0,4}((?:(?:\d{1,2}[.)]\s?)?["']?[a-z]{3,8}["']?(?:,?\s{1,2}|,|$)){11,23}["']?[a-z]{3,8})/iy;

/** Words that the list does not have and sentences do. */
const SENTENCE =
  /\b(?:the|and|for|with|not|are|was|were|from|has|had|been|but|they|them|their|which|would|could|does|did|its|our|your|his|her|into|than|then|there|should|about|after|before|because|while|please|user|users|error|failed|file|files|test|tests|value|null|true|false)\b/;
const SEED_LENGTHS = [12, 15, 18, 21, 24];

/** So many in a row are a seed by themselves, where no sentence has them. */
export function seedWords(
  found: Found,
  { start, end, words }: { start: number; end: number; words: number },
): void {
  const said = found.text.slice(start, end);
  if (!SEED_LENGTHS.includes(words) || SENTENCE.test(said)) return;
  // Of 2048 words twelve are seldom twice the same; a text has its favourites.
  const seen = new Set(said.match(/[a-z]+/g));
  if (seen.size >= words - 1) found.secret(start, end);
}

export function seedAt(found: Found, at: number): void {
  SEED.lastIndex = at;
  const match = SEED.exec(found.text);
  if (match === null) return;
  const words = match[1]!.match(/[a-z]{3,8}/g) ?? [];
  if (![12, 15, 18, 21, 24].includes(words.length)) return;
  const end = at + match[0].length;
  found.secret(end - match[1]!.length, end);
  found.readUntil = end;
}
