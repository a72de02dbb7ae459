/** Secrets on command lines: `--password x`, `-token=x`, `curl -u a:b`, `mysql -pX`, also as lists of words. */
import type { Found } from './found.ts';
import { isPlaceholder } from './placeholder.ts';
import { isFlagSecret, isPairOfWords, isSecretFlag } from './secret-values.ts';
import { endOfValue, isMark, quoteBefore } from './shapes.ts';

/** Between a flag and its value; in a list of words there are quotes and a comma: `'-p', 'x'`. */
const BETWEEN = `(?:\\\\{0,7}["'\`])?(?:\\s{0,2}[=,]\\s{0,2}|\\s{1,4})`;
const OPENS = `(\\\\{0,7}["'\`])?`;
const FLAG = new RegExp(`--?([A-Za-z][\\w.-]{0,40})(${BETWEEN})${OPENS}`, 'y');
const WORD = /(?:[^\s"'`\\]|\\(?![nrtu"'`\\]))+/y;
const TRAILING = /[,;.)\]}]+$/;
/** Longer arguments are cut here: what is left of them is looked at by itself. */
const ARGUMENT_MAX = 4096;

/** At the first dash of a word. */
export function flagAt(found: Found, at: number): void {
  const { text } = found;
  if (at < found.readUntil) return;
  const isShort =
    text[at + 1] !== '-' || /^--(?:(?:proxy-)?user|body)/.test(text.slice(at, at + 12));
  if (isShort && shortFlagAt(found, at)) return;
  FLAG.lastIndex = at;
  const match = FLAG.exec(text);
  if (match === null || !isSecretFlag(match[1]!)) return;
  const [whole, name, between, opens] = match;
  const start = at + whole.length;
  if (text[start] === '-' && opens === undefined) return;
  const end = argumentEnd(text, start, opens);
  const isPlainWord = opens === undefined && !between!.includes('=');
  if (!isFlagSecret(name!, text.slice(start, end), isPlainWord)) return;
  found.secret(start, end);
  found.readUntil = end;
}

function argumentEnd(text: string, start: number, opens: string | undefined): number {
  const part = text.slice(start, start + ARGUMENT_MAX);
  if (opens !== undefined) return start + endOfValue(part, 0, quoteBefore(text, start));
  WORD.lastIndex = 0;
  const word = WORD.exec(part)?.[0] ?? '';
  // `neo4j:[PASSWORD]`: a bracket that the word opened is its own.
  if (/[[({<][A-Za-z_ ]{1,40}[\])}>]$/.test(word)) return start + word.length;
  return start + word.length - (TRAILING.exec(word)?.[0].length ?? 0);
}

interface Program {
  /** The flags whose values are secrets, without their first dash. */
  readonly flags: readonly string[];
  /** The value follows without a space, and only then is one. */
  readonly isAttached?: true;
  /** What separates a user from the password: only then there is one. */
  readonly holds?: ':' | '%' | ',';
  /** The secret is the last of so many words behind the flag: `htpasswd -b file user secret`. */
  readonly words?: number;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  curl: { flags: ['u', 'U', '-user', '-proxy-user'], holds: ':' },
  http: { flags: ['a'], holds: ':' },
  https: { flags: ['a'], holds: ':' },
  xh: { flags: ['a'], holds: ':' },
  mysql: { flags: ['p'], isAttached: true },
  mysqldump: { flags: ['p'], isAttached: true },
  mysqladmin: { flags: ['p'], isAttached: true },
  mariadb: { flags: ['p'], isAttached: true },
  'mariadb-dump': { flags: ['p'], isAttached: true },
  '7z': { flags: ['p'], isAttached: true },
  sshpass: { flags: ['p'] },
  'docker login': { flags: ['p'] },
  'az login': { flags: ['p'] },
  'podman login': { flags: ['p'] },
  'helm registry login': { flags: ['p'] },
  'oc login': { flags: ['p'] },
  'cf login': { flags: ['p'] },
  mongo: { flags: ['p'] },
  mongosh: { flags: ['p'] },
  mongodump: { flags: ['p'] },
  mongorestore: { flags: ['p'] },
  'redis-cli': { flags: ['a'] },
  ldapsearch: { flags: ['w'] },
  ldapadd: { flags: ['w'] },
  ldapmodify: { flags: ['w'] },
  sqlcmd: { flags: ['P'] },
  bcp: { flags: ['P'] },
  cqlsh: { flags: ['p'] },
  unzip: { flags: ['P'] },
  zip: { flags: ['P'] },
  mosquitto_pub: { flags: ['P'] },
  mosquitto_sub: { flags: ['P'] },
  ipmitool: { flags: ['P'] },
  smbclient: { flags: ['U'], holds: '%' },
  lftp: { flags: ['u'], holds: ',' },
  etcdctl: { flags: ['-user'], holds: ':' },
  twine: { flags: ['p'] },
  snowsql: { flags: ['p'] },
  useradd: { flags: ['p'] },
  usermod: { flags: ['p'] },
  rar: { flags: ['hp', 'p'], isAttached: true },
  unrar: { flags: ['p'], isAttached: true },
  'openssl enc': { flags: ['k', 'pass'] },
  'gh secret set': { flags: ['b', '-body'] },
  keytool: { flags: ['storepass', 'keypass'] },
  rdesktop: { flags: ['p'] },
  sqlcl: { flags: ['p'] },
  clickhouse: { flags: ['-password'] },
  wget: { flags: ['-password'] },
  htpasswd: {
    flags: [
      'b',
      'bc',
      'cb',
      'nb',
      'bn',
      'Bb',
      'bB',
      'nbB',
      'bnB',
      'nbBC',
      'cbB',
      'bcB',
      'Bbn',
      'nBb',
      'bBn',
    ],
    words: 3,
  },
};
const NAMES = Object.keys(PROGRAMS)
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replaceAll(' ', '\\s{1,2}'));
const PROGRAM = new RegExp(`(?<![\\w.-])(${NAMES.join('|')})(?![\\w.:-])`, 'g');
const SHORT = new RegExp(
  `-([A-Za-z]{1,4}(?![\\w-])|hp|[A-Za-z]|-(?:(?:proxy-)?user|password|body)(?![\\w-]))((?:\\\\{0,7}["'\`])?(?:\\s{0,2},\\s{0,2}|\\s{1,4}|=))?${OPENS}`,
  'y',
);
/** As far back as a program is looked for. */
const LINE_LENGTH_MAX = 300;

function shortFlagAt(found: Found, at: number): boolean {
  const { text } = found;
  const before = text[at - 1];
  if (before !== undefined && !/[\s"'`,[]/.test(before)) return false;
  SHORT.lastIndex = at;
  const match = SHORT.exec(text);
  if (match === null || /[\s-]/.test(text[at + match[0].length] ?? ' ')) return false;
  const program = programBefore(found, at);
  if (program === undefined) return false;
  let [whole, letter, between, opens] = match;
  if (!program.flags.includes(letter!)) {
    // `-uroot`, `-pSecret`: the letter and its value in one word.
    if (
      letter!.length < 2 ||
      letter![0] === '-' ||
      letter === 'hp' ||
      !program.flags.includes(letter![0]!)
    )
      return false;
    [whole, letter, between, opens] = [whole.slice(0, 2), letter![0]!, undefined, undefined];
  }
  if (program.isAttached === true && between !== undefined) return false;
  const start = nthWord(text, at + whole.length, program.words ?? 1);
  const end = argumentEnd(text, start, opens);
  if (!isArgument(text.slice(start, end), program)) return false;
  found.secret(start, end);
  found.readUntil = end;
  return true;
}

/** The last program that the line names. What was looked through is not looked through again. */
function programBefore(found: Found, at: number): Program | undefined {
  const { text, program } = found;
  found.isFar = true;
  const from = Math.max(program.until, at - LINE_LENGTH_MAX);
  const part = text.slice(from, at);
  const newline = part.lastIndexOf('\n');
  let name = newline === -1 && from === program.until ? program.name : undefined;
  for (const match of part.slice(newline + 1).matchAll(PROGRAM)) name = match[1]!;
  found.program = { name, until: at };
  return name === undefined ? undefined : PROGRAMS[name.replace(/\s+/g, ' ')];
}

function nthWord(text: string, start: number, count: number): number {
  let at = start;
  for (let word = 1; word < count; word++) {
    const found = /^\S{1,200}[ \t]{1,4}(?=\S)/.exec(text.slice(at, at + 210));
    if (found === null) return text.length;
    at += found[0].length;
  }
  return at;
}

function isArgument(value: string, { holds }: Program): boolean {
  if (value === '' || isMark(value) || value.startsWith('[') || /^[-$]/.test(value)) return false;
  if (holds === undefined) return !isPlaceholder(value) && !/^[<>|&]/.test(value);
  if (/@\w/.test(value) && !value.includes(holds)) return false;
  const pair = holds === ':' ? value : value.replace(holds, ':');
  return /^[^:]{0,100}:(?!\/\/)./.test(pair) && !isPairOfWords(pair);
}

/** `machine host login user password secret`. */
const LOGIN = /\blogin\s{1,4}\S{1,100}\s{1,4}$/;

/** At the word "password" of `.netrc`. */
export function netrcAt(found: Found, at: number): void {
  const { text } = found;
  const value = /^password\s{1,4}(?=\S)/.exec(text.slice(at, at + 14))?.[0];
  if (value === undefined || !LOGIN.test(text.slice(Math.max(0, at - 120), at))) return;
  const secret = /^\S{1,200}/.exec(text.slice(at + value.length, at + value.length + 200))?.[0];
  if (secret === undefined || isMark(secret) || isPlaceholder(secret)) return;
  found.secret(at + value.length, at + value.length + secret.length);
}

/** `net use x: \\host\share secret /user:bob`; `echo bob:secret | chpasswd`; `openssl … pass:secret`. */
const LINES: readonly RegExp[] = [
  /\bnet\s+use\s+\S{1,60}\s+\\\\\S{1,100}\s+(?!\/)(\S{1,100})(?=[^\n]{0,60}\/user:)/gi,
  /\bnet\s+use\b[^\n]{0,120}\/user:\S{1,100}\s+(?!\/)(\S{1,100})/gi,
  /\bnet\s+user\s+\S{1,60}\s+(?![/*])(\S{1,100})/gi,
  /\becho\s+(?:-n\s+)?["']?[\w.-]{1,40}:([^\s"'|]{3,100})["']?\s*\|\s*(?:sudo\s+)?chpasswd/g,
  /\becho\s+(?:-n\s+)?["']?([^\s"'|$]{4,100})["']?\s*\|\s*(?:sudo\s+-S|docker\s+login|podman\s+login|passwd\s)/g,
  /(?<=[\s=])pass:([^\s"']{3,100})/g,
  /\bidentified\s+by\s+(?:password\s+)?["']([^"'\n]{3,100})["']/gi,
  /\bidentified\s+by\s+([^\s"';]{3,100})/gi,
  /\bbundle\s+config\s+(?:set\s+)?(?:--?\w+\s+)*[\w.-]{3,80}\s+([^\s"']{6,100})/g,
  /\b(?:xfreerdp|cmdkey|wfreerdp|mstsc|runas)\b[^\n]{0,200}?\s\/p(?:ass(?:word)?)?:([^\s"']{3,100})/gi,
  /\bschtasks\b[^\n]{0,200}?\s\/rp\s+([^\s"']{3,100})/gi,
  /\bsp_addlogin\s+N?'[^']{1,60}',\s*N?'([^'\n]{3,100})'/gi,
  /(?<=-D[\w.]{1,60}\.login=)([^\s"']{6,100})/g,
  /\bapp(?:lication)?[ -]passwords?\W{1,4}((?:[a-z]{4} ){3}[a-z]{4})\b/gi,
  /\b(?:recovery|backup|scratch)[ _-]codes?\W{1,6}((?:[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){0,3}[\s,]{1,3}){1,20}[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){0,3})/gi,
  /"(?:d|p|q|dp|dq|qi|k)"\s{0,2}:\s{0,2}"([A-Za-z0-9_-]{16,2000})"(?=[^\n]{0,4000}"kty"|(?<="kty"[^\n]{0,4000}))/g,
  /\b(?:verification|security|login|access|auth(?:entication)?|one-time|2fa|mfa|otp|confirmation)[ -]?(?:code|pin|passcode)\s(?:is|was)[: ]{1,2}(\d{4,8}|\d{3}[ -]\d{3})\b/gi,
  /\b(\d{4,8}|\d{3}[ -]\d{3})\sis\syour\s(?:\w{1,20}\s){0,3}(?:code|pin|otp)\b/gi,
  /\b(?:authenticator|totp|2fa|mfa)\b[^\n]{0,80}?((?:[A-Za-z2-7]{4} ){3,15}[A-Za-z2-7]{4})\b/gi,
  /\bsnmp-server\s+community\s+(\S{4,64})/gi,
  /\{(?:s?sha\d{0,3}|smd5|crypt|pbkdf2)\}([A-Za-z0-9+/=.$]{16,200})/gi,
  /:\d{3,6}:[0-9a-f]{32}:([0-9a-f]{32}):::/gi,
  /\bvault\s+login\s+(?!-)(?:\w+=)?([^\s"']{8,200})/g,
  /\boathtool\s+[^\n]{0,60}?-b\s+([A-Z2-7]{16,64})/gi,
];
const HINTS =
  /(?:code|pin|passcode)\s(?:is|was)|is\syour|authenticator|totp|2fa|mfa|snmp-server|\{(?:s?sha|smd5|crypt|pbkdf2)|:::|"kty"|freerdp|cmdkey|schtasks|sp_addlogin|\.login=|app(?:lication)?[ -]password|(?:recovery|backup|scratch)[ _-]code|net\s+use|identified\s+by|bundle\s+config|oathtool|vault\s+login|chpasswd|\| ?(?:sudo -S|docker login|podman login|passwd)|pass:/i;

/** Over a whole text, only where one of these words is. */
export function commandLines(found: Found): void {
  const { text } = found;
  if (!HINTS.test(text)) return;
  for (const pattern of LINES) {
    for (const { 0: whole, 1: secret, index } of text.matchAll(pattern)) {
      if (isMark(secret!) || isPlaceholder(secret!)) continue;
      const start = index + whole.lastIndexOf(secret!);
      found.secret(start, start + secret!.length);
    }
  }
}
