/** Long runs of signs: keys of issuers, chance by itself, chance on a line that speaks of keys, what decodes to a secret. */
import type { Found } from './found.ts';
import { gluedKey, issuerBeginnings, issuerEndings, issuerKeyEnd } from './issuer-keys.ts';
import { decoded, isPrivateDer } from './key-bodies.ts';
import { isMadeByHand } from './made-by-hand.ts';
import { isPlaceholder, isWordy } from './placeholder.ts';
import { isPublicRun } from './public-runs.ts';
import { HEX_RUN, isChance, looksRandom, matchEnd } from './shapes.ts';
import { beginning } from './signs.ts';
import { jwtAt } from './tokens.ts';

const MARK = '[REDACTED:API_KEY]';
/** No key of an issuer is shorter. */
export const KEY_LENGTH_MIN = 15;
/** Places of one run that look like a key's beginning and are none; a run with more is hidden from there on. */
const MISSES_MAX = 32;

let tables: { begins: Uint8Array; ends: Uint8Array } | undefined;

function issuerTables(): { begins: Uint8Array; ends: Uint8Array } {
  if (tables !== undefined) return tables;
  const [begins, ends] = [new Uint8Array(32768), new Uint8Array(32768)];
  for (const key of issuerBeginnings()) begins[key] = 1;
  for (const key of issuerEndings()) ends[key] = 1;
  tables = { begins, ends };
  return tables;
}

/** Keys whose form is not a prefix: Azure's have `Q~` in the middle, Mailchimp's end in a place, Discord's have two dots. */
const AZURE = /[A-Za-z0-9_-]{3}\dQ~[A-Za-z0-9_.~-]{31,34}/y;
const MAILCHIMP = /[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/y;
const DISCORD =
  /(?:M[DTjz]|N[DTjz]|O[DT])[A-Za-z0-9_-]{20,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/y;

function oddForm(text: string, start: number, end: number): RegExp | undefined {
  const length = end - start;
  if (length === 5 && text[end] === '~') return AZURE;
  if (length === 36 || length === 37) return MAILCHIMP;
  return length >= 22 && length <= 32 && text[end] === '.' ? DISCORD : undefined;
}

/** Whether a short word may be the beginning of a key that goes on behind it, or end in a prefix: `SG.`, `somSG.`. */
export function mayHoldKey(text: string, start: number, end: number): boolean {
  const { begins, ends } = issuerTables();
  if (begins[beginning(text, start)] === 1 || ends[beginning(text, end - 2)] === 1) return true;
  return text.charCodeAt(end) === 126;
}

const QUOTED = /["'`]/;

/** The keys of a word, and of what goes on behind it. */
export function issuerKeys(found: Found, start: number, wordEnd: number): void {
  const { text } = found;
  const { begins, ends } = issuerTables();
  const form = oddForm(text, start, wordEnd);
  if (form !== undefined) {
    const stop = matchEnd(form, text, start);
    if (stop > start && !isPlaceholder(text.slice(start, stop))) {
      found.add('api_key', start, stop, MARK);
      return;
    }
  }
  let misses = 0;
  let isBeginning = true;
  const end = Math.min(wordEnd + 1, text.length);
  for (let at = start; at < end; at++) {
    if (isBeginning && begins[beginning(text, at)] === 1) {
      const stop = misses > MISSES_MAX ? wordEnd : issuerKeyEnd(text, at);
      if (stop !== undefined) {
        found.add('api_key', at, stop, MARK);
        at = stop - 1;
        isBeginning = false;
        continue;
      }
      misses += 1;
      // A literal that ends here may go on in the next one.
      if (QUOTED.test(text[wordEnd] ?? '')) found.hidden.push(wordEnd);
    }
    const code = text.charCodeAt(at);
    isBeginning = !isLetterOrDigit(code);
    if (at - start < 2) continue;
    // Behind `_`, `-`, `.` and the last letters of prefixes without one, whatever word is before.
    if (ends[beginning(text, at - 2)] !== 1) continue;
    const glued = gluedKey(text, at + 1);
    if (glued === undefined) {
      misses += 1;
      if (misses <= MISSES_MAX) continue;
      found.add('api_key', at, wordEnd, MARK);
      return;
    }
    found.add('api_key', Math.max(start, glued.start), glued.end, MARK);
    at = glued.end - 1;
    isBeginning = false;
  }
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Tokens that are found inside a run, behind any prefix. */
export function tokensInside(found: Found, start: number, end: number): void {
  const word = found.text.slice(start, end);
  for (let at = word.indexOf('eyJ'); at !== -1; ) {
    const stop = jwtAt(found, start + at) - start;
    at = stop >= word.length ? -1 : word.indexOf('eyJ', stop);
  }
}

/** As long as an AWS secret key, which has no other mark; a SHA-1 in hex is as long and has one case. */
const AWS_SECRET = /^[A-Za-z0-9+/]{40}$/;
const NEAR_LENGTH_MIN = 20;
/** The shortest private key, of Ed25519, has 64 signs in base64; a line of it may be cut. */
const DER_LENGTH_MIN = 60;
const HASH_BEFORE =
  /(?:sha-?\d{0,3}|md5|commit|digest|checksum|hash|etag|rev(?:ision)?|tree|blob|integrity|fingerprint|thumbprint|public|pub|merge|head|parent|base|trace|span|request|image|layer|version|build|id|cert|serial|nonce|uuid|tx|txid|block)[a-z_]*["'`]?\s{0,2}(?:is|was|of|for|mismatch|[:=@])?\s{0,2}["'`]?(?:sha\d{1,3}[:=~-])?$/i;

const HASH_LENGTHS: ReadonlySet<number> = new Set([32, 40, 56, 64, 96, 128]);
const HASH_WORD =
  /\b(?:sha-?\d{1,3}|md5|checksum|digest|commit|fingerprint|hash)(?:es|s)?\b[^\n]*$/i;

/** A run of letters, digits and `+/_-`. */
export function longRun(found: Found, start: number, end: number): void {
  const { text } = found;
  const run = text.slice(start, end);
  if (
    AWS_SECRET.test(run) &&
    isChance(run) &&
    !HEX_RUN.test(run) &&
    !isPlaceholder(run) &&
    !isMadeByHand(run)
  ) {
    found.secret(start, end);
    return;
  }
  if (run.length >= DER_LENGTH_MIN && isPrivateDer(run)) {
    found.add('private_key', start, end, '[REDACTED:PRIVATE_KEY]');
    return;
  }
  if (isPrefixedChance(run) && (saysKey(run) || isNearWord(found, start, end))) {
    found.add('api_key', start, end, MARK);
    return;
  }
  if (!run.includes('/') || !isPath(run)) {
    nearRun(found, start, run);
    return;
  }
  for (let at = start; at < end; ) {
    const slash = text.indexOf('/', at);
    const stop = slash === -1 || slash > end ? end : slash;
    if (stop - at >= NEAR_LENGTH_MIN) nearRun(found, at, text.slice(at, stop));
    at = stop + 1;
  }
}

/** Ids of some services have a prefix and 24 chance signs; keys have 30 and more. */
const PREFIXED =
  /^(?!sha\d|md5|h\d|integrity|blob|image|data|v\d)[A-Za-z][A-Za-z0-9]{1,15}(?:[_-][a-z0-9]{1,12}){0,3}[_-]([A-Za-z0-9]{30,200})$/i;

const KEY_PREFIX = /(?:^|[_-])(?:sk|rk|pat|api|live|test|prod|key|secret|token|auth)[_-]/i;

/** By a word, or as a known issuer's; other prefixes name ids as well: `batch_…`, `resp_…`. */
function saysKey(run: string): boolean {
  return KEY_PREFIX.test(run) || issuerTables().begins[beginning(run, 0)] === 1;
}

/** A short name, a sign between and much chance: the key of an issuer that nobody told us about. */
function isPrefixedChance(run: string): boolean {
  if (run.length < 33 || run.length > 240) return false;
  const body = PREFIXED.exec(run)?.[1];
  return (
    body !== undefined &&
    isChance(body) &&
    !HEX_RUN.test(body) &&
    !isWordy(body) &&
    !isPlaceholder(body) &&
    !isMadeByHand(body)
  );
}

/** One of its parts is a word: then slashes separate, and are not signs of base64. */
function isPath(run: string): boolean {
  return run.split('/').some((part) => /^(?:[A-Z]?[a-z]{3,}|v\d+)(?:[-_][A-Za-z]+)*$/.test(part));
}

function nearRun(found: Found, start: number, run: string): void {
  const { text } = found;
  const end = start + run.length;
  if (!looksRandom(run.replace(UUIDS, ''))) return;
  const isHex = HEX_RUN.test(run);
  // Before the dear questions: ids stand in most lines, a word that speaks of keys in few.
  if (!isHex && !isNearWord(found, start, end)) return;
  if (isPlaceholder(run) || isWordy(run)) return;
  if (isMadeByHand(run) || isPublicRun(text, start, run)) return;
  if (isHex) {
    if (WALLET_KEY.test(run)) found.isFar = true;
    const around = text.slice(Math.max(0, start - AROUND), end + AROUND);
    if (WALLET_KEY.test(run) && WALLET.test(around)) {
      found.secret(start, end);
      return;
    }
    if (HASH_BEFORE.test(text.slice(Math.max(0, start - 40), start))) return;
    if (
      HASH_LENGTHS.has(run.length) &&
      HASH_WORD.test(text.slice(Math.max(0, start - AROUND), start))
    )
      return;
  }
  if (/sha\d{1,3}[:=~-]$/i.test(text.slice(Math.max(0, start - 8), start))) return;
  if (!isNearWord(found, start, end) || saysText(run)) return;
  found.secret(start, end);
  found.secretRuns.add(start);
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** The key of a chain's account has no other form than a hash has. */
const WALLET_KEY = /^(?:0x)?[0-9a-fA-F]{64}$/;
const WALLET = /wallet|private|mnemonic|ethereum|privkey|keystore/i;
const AROUND = 160;

/** Base64 of words is not a key: a key says nothing. */
function saysText(run: string): boolean {
  return /[a-z]{2,} [a-z]{2,}/i.test(decoded(run) ?? '');
}

/** Words, also as parts of names (`API_KEY`, `accessToken`); never those of our own marks. */
const NEAR = nearWords();

/**
 * The line, not a distance: marks are shorter than what they replace, and a distance would let the second pass see what
 * the first did not.
 */
function isNearWord(found: Found, start: number, end: number): boolean {
  const { text, line } = found;
  if (start < line.start || end > line.end) {
    const newline = text.indexOf('\n', start);
    const from = text.lastIndexOf('\n', start) + 1;
    const to = newline === -1 ? text.length : newline;
    found.line = { start: from, end: to, isNear: NEAR.test(text.slice(from, to)) };
  }
  return found.line.isNear;
}

function nearWords(): RegExp {
  const words = ['(?:api|access|auth|secret|private)?(?:key|token|secret)', 'password'];
  const lower = [...words, 'passwd', 'pwd', 'credential'].join('|');
  const capital = 'Key|Token|Secret|Password|Passwd|Pwd|Credential';
  const upper = lower.replace(/[a-z]+/g, (word) => word.toUpperCase());
  const alone = `(?:(?<![A-Za-z\\\\])|(?<=\\\\[nrt]))(?:${lower}|${upper}|${capital})`;
  const other = '(?<!(?:public|primary|foreign|cache|sort|partition|idempotency|host)[-_ ])';
  // Tokens of a model are counted.
  const counted = '(?<!\\d ?|(?:max|input|output|prompt|completion|total)[-_ ])';
  const measured = '(?![-_ ](?:limit|count|budget|usage|window))';
  return new RegExp(
    `(?<!\\[REDACTED:[A-Z_]{0,12})${other}${counted}(?:${alone}|(?<=[a-z])(?:${capital}))s?(?![a-z])${measured}`,
  );
}
