/** Who and where: connection strings, e-mail addresses, UUIDs, URLs, network addresses, paths. */
import { isIPv6 } from 'node:net';
import { inOrder, isMark } from './shapes.ts';
import type { Edit, Rule, SanitiserRules } from './types.ts';

/** In JSON of some languages slashes are escaped. */
const SLASHES = String.raw`(?:\\?\/){2}`;
const IS_WEB = `(?<=(?:https?|wss?):${SLASHES})`;
/** A port and a path with an @ in it are not a user and a password. */
const WEB = new RegExp(
  `${IS_WEB}(?:[^\\s/?#"'\`<>@\\\\]{1,500}|[^\\s/?#:@]{1,200}:(?!\\d{1,5}[/?#])[^\\s"'\`<>@?#]{1,300})@[^\\s"'\`<>]*`,
  'gi',
);
const OTHER = new RegExp(
  `(?<=[a-z0-9]:${SLASHES})(?<!(?:https?|wss?):${SLASHES})[^\\s:@/"'\`<>]{0,200}:[^\\s"'\`<>@]{1,500}@[^\\s"'\`<>]*`,
  'gi',
);

/** The same with its signs escaped, as a parameter of another address. */
const ESCAPED =
  /(?<=[a-z0-9]%3A%2F%2F)(?:[^\s%"'`<>]|%(?!40|3A)[0-9A-F]{2}){0,200}%3A(?:[^\s%"'`<>]|%(?!40)[0-9A-F]{2}){1,300}%40[^\s"'`<>&]*/gi;
/** Before the @: Go's MySQL (`app:secret@tcp(db)`), Oracle (`jdbc:oracle:thin:app/secret@db`). */
const NETWORK = /@(?:tcp|tcp6|udp|unix)\(/g;
const USER_LENGTH_MAX = 200;
const ENDS_USER = new Set(' \t\n"\'`<>=');
const ORACLE = /(?<=jdbc:oracle:[a-z]{2,8}:)[^\s/@"'`<>]{1,64}\/[^\s@"'`<>]{1,128}@/gi;

/** In a web address anything before the @ is a secret; elsewhere only a password is. */
export const connections: Rule = (text) => {
  const edits: Edit[] = [];
  const add = (start: number, end: number) =>
    edits.push({ kind: 'connection', start, end, mark: '[REDACTED:CONNECTION]' });
  for (const pattern of connectionForms(text)) {
    for (const { 0: found, index } of text.matchAll(pattern)) add(index, index + found.length);
  }
  let floor = 0;
  for (const { 0: found, index } of text.includes('(') ? text.matchAll(NETWORK) : []) {
    const start = userBefore(text, index, Math.max(floor, index - USER_LENGTH_MAX));
    if (start !== undefined && !isMark(text.slice(start, start + 12))) add(start, index);
    floor = index + found.length;
  }
  return inOrder(edits);
};

/** Where `user:password` begins that ends at `end`; what was looked at is not looked at again. */
function userBefore(text: string, end: number, floor: number): number | undefined {
  let start = end;
  let colon = -1;
  while (start > floor && !ENDS_USER.has(text[start - 1]!)) {
    start -= 1;
    if (text[start] === ':') colon = start;
  }
  return colon > start && colon < end - 1 ? start : undefined;
}

function connectionForms(text: string): RegExp[] {
  if (!text.includes('@')) return /%40/.test(text) ? [ESCAPED] : [];
  return [...(/:\\?\//.test(text) ? [WEB, OTHER] : []), ESCAPED, ORACLE];
}

const LOCAL_LENGTH_MAX = 64;
const LOCAL_SIGN = /[\p{L}\p{N}._+-]/u;
const DOMAIN = /(?!\d+\.\d|\dx\.)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}/uy;

/** From each @ outwards: an expression that begins with the name reads long runs again and again. */
export const emails: Rule = (text) => {
  const edits: Edit[] = [];
  for (const { 0: sign, index } of text.matchAll(/@|%40/g)) {
    const floor = Math.max(edits.at(-1)?.end ?? 0, index - LOCAL_LENGTH_MAX);
    let start = index;
    while (start > floor && LOCAL_SIGN.test(text[start - 1]!)) start -= 1;
    DOMAIN.lastIndex = index + sign.length;
    if (start === index || !DOMAIN.test(text)) continue;
    // How git names a host, not a person.
    if (text.slice(start, index) === 'git') continue;
    edits.push({ kind: 'email', start, end: DOMAIN.lastIndex, mark: '[REDACTED:EMAIL]' });
  }
  return edits;
};

const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;

export const uuids: Rule = (text, { redactUuids }) =>
  redactUuids
    ? Array.from(text.matchAll(UUID), ({ index }) => {
        return { kind: 'uuid', start: index, end: index + 36, mark: '[REDACTED:UUID]' };
      })
    : [];

const URL_FORM =
  /(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9+.-]{0,30}):\/\/(?:([^\s/?#"'`<>@\\]{0,200})@)?(\[[^\]\s]{0,80}\]|[^\s/?#:"'`<>@\\()[\]{},;]+)(:\d{1,5})?([/?#][^\s"'`<>\\]*)?/g;
const TRAILING = /[.,;:!?)\]}]+$/;
const SECRET_PARAMETER =
  /([?&#;](?:[\w-]{0,40}(?:key|token|secret|passw|pwd|signature|credential)[\w-]{0,40}|(?:[\w-]{0,40}[-_])?(?:pass|pw)|sig|auth|code|session|sid|otp|pin|jwt|sas|ticket|assertion)=)[^&#;\s]+/gi;

/** Scheme and host stay; the rest only where the host is allowed, and then without its secrets. */
export const urls: Rule = (text, { allowedDomains }) => {
  const edits: Edit[] = [];
  if (!text.includes('://')) return edits;
  for (const match of text.matchAll(URL_FORM)) {
    const [whole, scheme, user, host, port = '', rest = ''] = match;
    if (scheme!.toLowerCase() === 'file') continue;
    const isAllowed = allowedDomains.includes(host!.toLowerCase());
    const kept = isAllowed
      ? rest.replace(SECRET_PARAMETER, '$1[REDACTED:KEY]')
      : (TRAILING.exec(rest)?.[0] ?? '');
    const mark = `${scheme}://${user === 'git' ? 'git@' : ''}${host}${port}${kept}`;
    if (mark === whole) continue;
    edits.push({ kind: 'url', start: match.index, end: match.index + whole.length, mark });
  }
  return edits;
};

const IPV4 = /(?<!\d)(?<!\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d)(?!\.\d)/g;
/** Four numbers are an address unless the text before them says that they are a version. */
const VERSION_BEFORE =
  /(?:(?<![A-Za-z])v|version[ :=]{1,3}|(?:chapter|section|clause) |[=<>~!]=|~>|\^)\s?$/i;
const IPV6 = /(?<![0-9A-Fa-f:.])\[?([0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,44})\]?/g;

export const addresses: Rule = (text) => inOrder([...ipv6(text), ...ipv4(text)]);

function ipv4(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const { 0: found, index } of text.matchAll(IPV4)) {
    const mark = ipv4Mark(found);
    if (mark === undefined || VERSION_BEFORE.test(text.slice(Math.max(0, index - 12), index)))
      continue;
    edits.push({ kind: 'address', start: index, end: index + found.length, mark });
  }
  return edits;
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

function ipv6(text: string): Edit[] {
  const edits: Edit[] = [];
  if (!/:[0-9A-Fa-f]{0,4}:/.test(text)) return edits;
  for (const { 0: found, 1: inner, index } of text.matchAll(IPV6)) {
    if (isInsideWord(text, index)) continue;
    const address = inner!.replace(/(?<!:):$|\.+$/, '');
    // `dead::beef` is a name in code; an address without any digit is too rare to be told from it.
    if (!isIPv6(address) || !/\d/.test(address) || isLoopback(address)) continue;
    const isWhole = found.startsWith('[') && found.endsWith(']');
    const start = isWhole ? index : index + found.indexOf(inner!);
    const end = isWhole ? index + found.length : start + address.length;
    edits.push({ kind: 'address', start, end, mark: '[EXTERNAL_IP]' });
  }
  return edits;
}

function isLoopback(address: string): boolean {
  return /^(?:0{0,4}:){2,7}0{0,3}1$/.test(address) || /^::ffff:127\./i.test(address);
}

function isInsideWord(text: string, at: number): boolean {
  return /[A-Za-z0-9_]/.test(text[at - 1] ?? '') && text[at - 2] !== '\\';
}

const PART = `[^\\s/"'\`<>()[\\]{}|,;:*?&=#$!\\\\^]+`;
const WINDOWS_PART = `[^\\s\\\\/"'\`<>()[\\]{}|,;:*?]+`;
const PATH = new RegExp(
  [
    `(?<![A-Za-z0-9])[A-Za-z]:(?:\\\\{1,4}|/(?!/))${WINDOWS_PART}(?:(?:\\\\{1,4}|/)${WINDOWS_PART})*`,
    `(?<![\\\\\\w])\\\\{2,4}${WINDOWS_PART}(?:\\\\{1,4}${WINDOWS_PART})+`,
    `(?:(?<![A-Za-z0-9_.~/)\\]}%*?<-])|(?<=\\\\[nrt])|(?<=file://))~?/(?!/)${PART}(?:/+${PART})*`,
  ].join('|'),
  'g',
);
const SEPARATORS = /[\\/]+/;

/** The first two components of an absolute path say enough about where. */
export const paths: Rule = (text, rules) => {
  const edits: Edit[] = [];
  if (!text.includes('/') && !text.includes('\\')) return edits;
  for (const { 0: found, index } of text.matchAll(PATH)) {
    const path = found.replace(/[.]+$/, '');
    const kept = keptLength(path);
    if (kept === path.length || isAllowedPath(path, rules)) continue;
    const start = index + kept;
    edits.push({ kind: 'path', start, end: index + path.length, mark: '' });
  }
  return edits;
};

function keptLength(path: string): number {
  const first = /^(?:[A-Za-z]:|~)?[\\/]+/.exec(path)![0].length;
  const parts = path.slice(first).split(SEPARATORS);
  if (parts.length <= 2) return path.length;
  return path.indexOf(parts[1]!, first + parts[0]!.length) + parts[1]!.length;
}

function isAllowedPath(path: string, { allowedPaths }: SanitiserRules): boolean {
  const parts = path.split(SEPARATORS);
  if (allowedPaths.length === 0 || parts.includes('..')) return false;
  return allowedPaths.some((allowed) => {
    const wanted = allowed.replace(/[\\/]+$/, '').split(SEPARATORS);
    return wanted.every((part, at) => parts[at] === part);
  });
}
