/** Secrets on command lines: `--password x`, `-token=x`, `curl -u a:b`, `mysql -pX`, also as lists of words. */
import { isFlagSecret, isSecretFlag } from './assigned-names.ts';
import { endOfValue, inOrder, isMark, quoteBefore } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

const MARK = '[REDACTED:KEY]';
/** Between a flag and its value; in a list of words there are quotes and a comma: `'-p', 'x'`. */
const BETWEEN = `(?:\\\\{0,7}["'\`])?(?:\\s{0,2}[=,]\\s{0,2}|\\s{1,4})`;
const OPENS = `(\\\\{0,7}["'\`])?`;
const FLAG = new RegExp(`(?<![\\w-])--?([A-Za-z][\\w.-]{0,40})(${BETWEEN})${OPENS}`, 'g');
const WORD = /(?:[^\s"'`\\]|\\(?![nrtu"'`\\]))+/y;
const TRAILING = /[,;.)\]}]+$/;

function flags(text: string): Edit[] {
  const edits: Edit[] = [];
  FLAG.lastIndex = 0;
  for (let match = FLAG.exec(text); match !== null; match = FLAG.exec(text)) {
    const [whole, name, between, opens] = match;
    const start = match.index + whole.length;
    FLAG.lastIndex = start;
    if (!isSecretFlag(name!) || text[start] === '-') continue;
    const end = argumentEnd(text, start, opens);
    const isPlainWord = opens === undefined && !between!.includes('=');
    const isSecret = isFlagSecret(name!, text.slice(start, end), isPlainWord);
    if (isSecret) edits.push({ kind: 'key', start, end, mark: MARK });
    if (isSecret || end - start > LOOKED_INTO) FLAG.lastIndex = end;
  }
  return edits;
}

/** Flags inside a longer value are not looked for: each would read it to its end again. */
const LOOKED_INTO = 200;

function argumentEnd(text: string, start: number, opens: string | undefined): number {
  if (opens !== undefined) return endOfValue(text, start, quoteBefore(text, start));
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0] ?? '';
  return start + word.length - (TRAILING.exec(word)?.[0].length ?? 0);
}

interface Short {
  /** The flags whose values are secrets, without their first dash. */
  readonly flags: readonly string[];
  /** The value follows without a space, and only then is one. */
  readonly isAttached?: true;
  /** What separates a user from the password: only then there is one. */
  readonly holds?: ':' | '%';
}

const SHORT: Readonly<Record<string, Short>> = {
  curl: { flags: ['u', 'U', '-user', '-proxy-user'], holds: ':' },
  http: { flags: ['a'], holds: ':' },
  https: { flags: ['a'], holds: ':' },
  xh: { flags: ['a'], holds: ':' },
  mysql: { flags: ['p'], isAttached: true },
  mysqldump: { flags: ['p'], isAttached: true },
  mysqladmin: { flags: ['p'], isAttached: true },
  mariadb: { flags: ['p'], isAttached: true },
  '7z': { flags: ['p'], isAttached: true },
  sshpass: { flags: ['p'] },
  'docker login': { flags: ['p'] },
  'az login': { flags: ['p'] },
  'podman login': { flags: ['p'] },
  mongo: { flags: ['p'] },
  mongosh: { flags: ['p'] },
  mongodump: { flags: ['p'] },
  'redis-cli': { flags: ['a'] },
  ldapsearch: { flags: ['w'] },
  sqlcmd: { flags: ['P'] },
  unzip: { flags: ['P'] },
  zip: { flags: ['P'] },
  mosquitto_pub: { flags: ['P'] },
  mosquitto_sub: { flags: ['P'] },
  smbclient: { flags: ['U'], holds: '%' },
};
const PROGRAMS = Object.keys(SHORT).sort((a, b) => b.length - a.length);
const PROGRAM_OR_FLAG = new RegExp(
  `\\n|(?<![\\w.-])(${PROGRAMS.join('|')})(?![\\w.:-])|(?<=[\\s"'\`,[])-([A-Za-z]|-(?:proxy-)?user(?![\\w-]))((?:\\\\{0,7}["'\`])?(?:\\s{0,2},\\s{0,2}|\\s{1,4}|=))?${OPENS}(?=[^\\s-])`,
  'g',
);
const HAS_PROGRAM = new RegExp(`(?<![\\w.-])(?:${PROGRAMS.join('|')})(?![\\w.:-])`);

function shortFlags(text: string): Edit[] {
  const edits: Edit[] = [];
  if (!text.includes('-') || !HAS_PROGRAM.test(text)) return edits;
  let program: Short | undefined;
  PROGRAM_OR_FLAG.lastIndex = 0;
  for (let match = PROGRAM_OR_FLAG.exec(text); match !== null; match = PROGRAM_OR_FLAG.exec(text)) {
    const [whole, named, letter, between, opens] = match;
    if (letter === undefined) {
      program = named === undefined ? undefined : SHORT[named];
      continue;
    }
    if (program === undefined || !program.flags.includes(letter)) continue;
    if (program.isAttached && between !== undefined) continue;
    const start = match.index + whole.length;
    const end = argumentEnd(text, start, opens);
    const isSecret = isArgument(text.slice(start, end), program);
    if (isSecret) edits.push({ kind: 'key', start, end, mark: MARK });
    if (isSecret || end - start > LOOKED_INTO) PROGRAM_OR_FLAG.lastIndex = end;
  }
  return edits;
}

function isArgument(value: string, { holds }: Short): boolean {
  if (value === '' || isMark(value) || value.startsWith('[') || /^[-$]/.test(value)) return false;
  return holds === undefined || /^[^:%]{0,100}[:%](?!\/\/)./.test(value);
}

/** `.netrc`: `machine host login user password secret`. */
const NETRC = /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(\S{1,200})/g;

function netrc(text: string): Edit[] {
  if (!text.includes('login')) return [];
  return Array.from(text.matchAll(NETRC), ({ 0: found, 1: value, index }) => {
    const end = index + found.length;
    return { kind: 'key' as const, start: end - value!.length, end, mark: MARK };
  }).filter(({ start }) => !text.startsWith('[REDACTED', start));
}

export const commandLines: Rule = (text) =>
  inOrder([...flags(text), ...shortFlags(text), ...netrc(text)]);
