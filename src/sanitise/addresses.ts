/** Where to reach somebody or something: connection strings, e-mail, URLs, network addresses. */
import { isIPv6 } from 'node:net';
import type { Found } from './found.ts';
import { isReferencedSecret } from './nobodys.ts';
import { isChanceRun, isPairOfWords, isSaidSecret } from './secret-values.ts';
import { isMark, matchEnd } from './shapes.ts';
import { isStrong } from './strong-tokens.ts';

/** A port and a path with an @ in it are not a user and a password. */
const WEB_USER =
  /(?:[^\s/?#"'`<>@\\]{1,500}|[^\s/?#:@]{1,200}:(?!\d{1,5}[/?#])[^\s"'`<>@?#]{1,300})@[^\s"'`<>]*/y;
const OTHER_USER = /[^\s:@/"'`<>]{0,200}:[^\s"'`<>@]{1,500}@[^\s"'`<>]*/y;
const SLASHES = /(?:\\?\/){2}/y;
const SCHEME_LENGTH_MAX = 31;
const CONNECTION = '[REDACTED:CONNECTION]';

/** At the colon before `//`. In a web address anything before the @ is a secret; elsewhere only a password is. */
export function urlAt(found: Found, colon: number): boolean {
  const { text } = found;
  const from = matchEnd(SLASHES, text, colon + 1);
  if (from === colon + 1 || colon < found.urlUntil) return false;
  const start = schemeStart(text, colon);
  if (start === colon) return false;
  const scheme = text.slice(start, colon).toLowerCase();
  const isWeb = /^(?:https?|wss?)$/.test(scheme.replace(/^.*?(?=https?$|wss?$)/, ''));
  const user = matchEnd(isWeb ? WEB_USER : OTHER_USER, text, from);
  if (user > from && isConnection(text.slice(from, user))) {
    found.add('connection', from, user, CONNECTION);
    found.urlUntil = user;
    return true;
  }
  if (scheme !== 'file' && from === colon + 3) addressTail(found, from);
  return true;
}

function schemeStart(text: string, colon: number): number {
  let start = colon;
  while (start > 0 && colon - start < SCHEME_LENGTH_MAX && /[A-Za-z0-9+.-]/.test(text[start - 1]!))
    start -= 1;
  while (start < colon && !/[A-Za-z]/.test(text[start]!)) start += 1;
  return start;
}

function isConnection(found: string): boolean {
  if (isMark(found)) return false;
  const user = found.slice(0, found.lastIndexOf('@'));
  if (user === 'git') return false;
  return !(user.includes(':') && isPairOfWords(user)) && !isReferencedSecret(`${user}@`);
}

const HOST =
  /(?:([^\s/?#"'`<>@\\]{0,200})@)?(\[[^\]\s]{0,80}\]|[^\s/?#:"'`<>@\\()[\]{},;]+)(:\d{1,5})?/y;
const TAIL = /[/?#][^\s"'`<>\\]*/y;
const TRAILING = /[.,;:!?)\]}]+$/;

/** Scheme and host stay; the rest only where the host is allowed, and then without its secrets. */
function addressTail(found: Found, from: number): void {
  const { text } = found;
  HOST.lastIndex = from;
  const match = HOST.exec(text);
  if (match === null) return;
  const start = HOST.lastIndex;
  const end = matchEnd(TAIL, text, start);
  found.urlUntil = end;
  if (end === start) return;
  const tail = text.slice(start, end);
  if (found.rules.allowedDomains.includes(match[2]!.toLowerCase())) {
    secretParameters(found, start, tail);
    secretSegments(found, start, tail);
    nestedUsers(found, start, tail);
    return;
  }
  const kept = TRAILING.exec(tail)?.[0] ?? '';
  if (kept !== tail) found.add('url', start, end - kept.length, '');
}

/** An address inside the query of another. */
function nestedUsers(found: Found, start: number, tail: string): void {
  for (let at = tail.indexOf('://'); at !== -1; at = tail.indexOf('://', at + 3)) {
    const end = matchEnd(OTHER_USER, tail, at + 3);
    if (end === at + 3 || !isConnection(tail.slice(at + 3, end))) continue;
    found.add('connection', start + at + 3, start + end, CONNECTION);
    return;
  }
}

const SECRET_PARAMETER =
  /[?&#;](?:[\w-]{0,40}(?:key|token|secret|passw|pwd|signature|credential)[\w-]{0,40}|(?:[\w-]{0,40}[-_])?(?:pass|pw)|sig|auth|code|session|sid|otp|pin|jwt|sas|ticket|assertion)=([^&#;\s]+)/gi;

function secretParameters(found: Found, start: number, tail: string): void {
  for (const { 0: whole, 1: value, index } of tail.matchAll(SECRET_PARAMETER)) {
    const end = start + index + whole.length;
    if (!isMark(value!)) found.secret(end - value!.length, end);
  }
}

/** Behind a part that says what it is: `/reset/…`, `/invite/…`. */
const GIVEN_SEGMENT =
  /\/(?:reset|tokens?|keys?|invites?|invitations?|verify|confirm|magic|auth|secrets?|activate|unsubscribe|share)(?:\/|=)([^\s/?#&]{8,200})/gi;
const SEGMENT = /[A-Za-z0-9_+=-]{20,}/g;

/** A commit's hash has one case; a secret in a path has all kinds of signs. */
function secretSegments(found: Found, start: number, tail: string): void {
  for (const { 0: segment, index } of tail.matchAll(SEGMENT)) {
    if (isChanceRun(segment)) found.secret(start + index, start + index + segment.length);
  }
  for (const { 0: whole, 1: segment, index } of tail.matchAll(GIVEN_SEGMENT)) {
    const end = start + index + whole.length;
    if (isStrong(segment!)) found.secret(end - segment!.length, end);
  }
}

const USER_LENGTH_MAX = 200;
const ENDS_USER = new Set(' \t\n"\'`<>=');
const ORACLE_BEFORE =
  /(?:jdbc:oracle:[a-z]{2,8}:|\b(?:sqlplus|sqlldr|expdp?|impdp?|rman|connect|conn|tkprof|dgmgrl)(?:\s+-\w+|\s+target)*\s+["']?|userid=["']?)$/i;
const ORACLE = /^[A-Za-z][\w$#.-]{0,63}\/["']?([^\s@/"'`<>]{1,128})["']?$/;

/** Before the @: Go's MySQL (`app:secret@tcp(db)`), Oracle (`sqlplus app/secret@db`). */
export function connectionAt(found: Found, at: number): void {
  const { text } = found;
  const floor = Math.max(found.userUntil, at - USER_LENGTH_MAX);
  let start = at;
  let colon = -1;
  while (start > floor && !ENDS_USER.has(text[start - 1]!)) {
    start -= 1;
    if (text[start] === ':') colon = start;
  }
  found.userUntil = Math.max(found.userUntil, at);
  if (start === at) return;
  if (/^@(?:tcp|tcp6|udp|unix)\(/.test(text.slice(at, at + 6))) {
    const user = text.slice(start, at);
    if (colon > start && colon < at - 1 && !isMark(user) && !isPairOfWords(user))
      found.add('connection', start, at, CONNECTION);
    return;
  }
  if (colon > start && colon < at - 1) userAtHost(found, start, colon, at);
  oracle(found, start, at);
}

const HOST_PORT =
  /^(?!sha\d)(?:\d{1,3}(?:\.\d{1,3}){3}|[A-Za-z][\w-]{0,60}(?:\.[\w-]{1,60}){0,5}):\d{2,5}(?![\w.])/;

/** `user:secret@host:port` without a scheme, as proxies are written. */
function userAtHost(found: Found, start: number, colon: number, at: number): void {
  const { text } = found;
  const [user, secret] = [text.slice(start, colon), text.slice(colon + 1, at)];
  if (
    !/^[\w.-]{1,40}$/.test(user) ||
    secret.startsWith('/') ||
    isMark(secret) ||
    isPairOfWords(`${user}:${secret}`)
  )
    return;
  const isPlace = HOST_PORT.test(text.slice(at + 1, at + 200)) && isSaidSecret(secret);
  if (isPlace || isStrong(secret)) found.add('connection', start, at, CONNECTION);
}

function oracle(found: Found, start: number, at: number): void {
  const { text } = found;
  const from = start + text.slice(start, at).lastIndexOf(':') + 1;
  const match = ORACLE.exec(text.slice(from, at));
  if (match === null || isMark(match[1]!)) return;
  if (!ORACLE_BEFORE.test(text.slice(Math.max(0, from - 60), from))) return;
  found.add('connection', from, at, CONNECTION);
}

const LOCAL_LENGTH_MAX = 64;
const LOCAL_SIGN = /[\p{L}\p{N}._+'-]/u;
const DOMAIN = /(?!\d+\.\d|\dx\.)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}/uy;

/** From the @ outwards: an expression that begins with the name reads long runs again and again. */
export function emailAt(
  found: Found,
  at: number,
  signEnd: number,
  floor: number,
): number | undefined {
  const { text } = found;
  const lowest = Math.max(floor, at - LOCAL_LENGTH_MAX);
  let start = at;
  while (start > lowest && LOCAL_SIGN.test(text[start - 1]!)) start -= 1;
  while (start < at && text[start] === "'") start += 1;
  const end = matchEnd(DOMAIN, text, signEnd);
  // How git names a host, not a person.
  if (start === at || end === signEnd || text.slice(start, at) === 'git') return undefined;
  // Units of systemd are named like this.
  if (/\.(?:service|socket|target|timer|mount|slice|scope|device)$/.test(text.slice(signEnd, end)))
    return undefined;
  found.add('email', start, end, '[REDACTED:EMAIL]');
  return end;
}

/** `bob (at) example.org`, `bob [at] example [dot] org`, `bob at example dot org`. */
const SPELLED =
  /(?:\s{0,2}[([{<]\s?(?:at|@)\s?[)\]}>]\s{0,2}|\sat\s(?=[\w-]+\sdot\s))((?:[A-Za-z0-9-]{1,40}(?:\s{0,2}[([{<]\s?(?:dot|\.)\s?[)\]}>]\s{0,2}|\sdot\s|\.)){1,4}[A-Za-z]{2,12})(?![A-Za-z0-9-])/iy;

const MAIL_WORD = /mail|contact|reach|write|address|send|schreib|kontakt/i;

/** At the bracket, or at the blank before "at". */
export function spelledEmailAt(found: Found, at: number): void {
  const { text } = found;
  let from = at;
  while (from > 0 && at - from < 2 && text[from - 1] === ' ') from -= 1;
  const end = matchEnd(SPELLED, text, from);
  if (end === from) return;
  let start = from;
  while (start > 0 && from - start < LOCAL_LENGTH_MAX && LOCAL_SIGN.test(text[start - 1]!))
    start -= 1;
  if (start === from) return;
  // Words alone say it as well: "meet at noon dot com". Then something must say that it is an address.
  const isBare = text[from] === ' ' && /^ at /i.test(text.slice(from, from + 4));
  const isAddress = !isBare || /[._\d]/.test(text.slice(start, from));
  if (isAddress || MAIL_WORD.test(text.slice(Math.max(0, start - 40), start)))
    found.add('email', start, end, '[REDACTED:EMAIL]');
}

const IPV4 = /(?<!\d)(?<!\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d)(?!\.\d)/y;
/** Four numbers are an address unless the text before them says that they are a version. */
const VERSION_BEFORE =
  /(?:(?<![A-Za-z])v|version[ :=("'@-]{1,3}|[A-Za-z]\.|(?:chapter|section|clause) |[=<>~!]=|~>|\^)\s?$/i;

/** At the first digit. */
export function ipv4At(found: Found, at: number): number | undefined {
  const { text } = found;
  const end = matchEnd(IPV4, text, at);
  if (end === at) return undefined;
  const mark = ipv4Mark(text.slice(at, end));
  if (mark === undefined || VERSION_BEFORE.test(text.slice(Math.max(0, at - 12), at)))
    return undefined;
  found.add('address', at, end, mark);
  return end;
}

/** Undefined for what is not an address, or belongs to nobody: this machine, and "any". */
function ipv4Mark(found: string): string | undefined {
  const [a, b, c, d] = found.split('.').map(Number) as [number, number, number, number];
  if (Math.max(a, b, c, d) > 255 || a === 127 || a + b + c + d === 0) return undefined;
  if (a === 10) return '10.x.x.x';
  if (a === 192 && b === 168) return '192.168.x.x';
  if (a === 172 && b >= 16 && b <= 31) return '172.16.x.x';
  return '[EXTERNAL_IP]';
}

const IPV6 = /\[?([0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,44})\]?/y;

/** At a colon between hexadecimal digits: the address begins before it. */
export function ipv6At(found: Found, colon: number): void {
  const { text } = found;
  let start = colon;
  while (start > 0 && colon - start < 4 && /[0-9A-Fa-f]/.test(text[start - 1]!)) start -= 1;
  if (/[0-9A-Fa-f:.]/.test(text[start - 1] ?? '') || isInsideWord(text, start)) return;
  // Colons that stood right behind an address did not begin another, and do not once it is a mark.
  if (text.endsWith('[EXTERNAL_IP]', start)) return;
  const from = text[start - 1] === '[' && !isInsideWord(text, start - 1) ? start - 1 : start;
  IPV6.lastIndex = from;
  const match = IPV6.exec(text);
  if (match === null) return;
  const [whole, inner] = match;
  const address = inner!.replace(/(?<!:):$|\.+$/, '');
  // `dead::beef` is a name in code; an address without any digit is too rare to be told from it.
  if (!isIPv6(address) || !/\d/.test(address) || isLoopback(address)) return;
  const isWhole = whole.startsWith('[') && whole.endsWith(']');
  const begin = isWhole ? from : from + whole.indexOf(inner!);
  // An address does not end inside a word: `::1Auth` is none.
  if (!isWhole && /[A-Za-z0-9_]/.test(text[begin + address.length] ?? '')) return;
  found.add(
    'address',
    begin,
    isWhole ? from + whole.length : begin + address.length,
    '[EXTERNAL_IP]',
  );
}

function isLoopback(address: string): boolean {
  return /^(?:0{0,4}:){2,7}0{0,3}1$/.test(address) || /^::ffff:127\./i.test(address);
}

function isInsideWord(text: string, at: number): boolean {
  return /[A-Za-z0-9_]/.test(text[at - 1] ?? '') && text[at - 2] !== '\\';
}
