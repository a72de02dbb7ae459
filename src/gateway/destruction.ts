/**
 * Calls that destroy what cannot be brought back, whatever tool makes them: recursive deletion of a root, a home or a
 * whole working tree; disks; databases; infrastructure. A text counts only where it is a command or a statement, not
 * where it is quoted in prose. The lists below name programs by what they do; another program that destroys is not
 * known here, which is why contracts say how risky a tool is.
 */
import type { Json } from '../base/index.ts';
import { type SimpleCommand, simpleCommands } from './shell-words.ts';

/** A text without any of this destroys nothing that is known here. */
const SUSPECT =
  /\b(?:rm|rmdir|find|dd|mkfs|wipefs|shred|chmod|chown|drop|dropdb|truncate|delete|destroy|terminate|flushall|shutdown|reboot|halt|poweroff|rmtree|rmsync|crontab|kill|rb|push)|\/dev\/|\(\)\s*\{|base64|xxd|\beval\b|-[a-z]*r[a-z]*f|-[a-z]*f[a-z]*r/i;
const DEPTH_MAX = 4;

/** What it destroys, in a few words; undefined where nothing is known to be. */
export function destructionIn(value: Json): string | undefined {
  if (typeof value === 'string') return ofText(value, 0);
  if (Array.isArray(value)) {
    if (value.length > 1 && value.every((one) => typeof one === 'string')) {
      const found = ofCommands([{ words: value as string[], isPiped: false, outputs: [] }], 0);
      if (found !== undefined) return found;
    }
    return first(value as Json[]);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const isDocument = DOCUMENT_PATHS.some((key) => {
    const path = (value as Record<string, unknown>)[key];
    return path !== undefined && DOCUMENT.test(String(path));
  });
  return first(
    Object.entries(value).flatMap(([key, child]) =>
      child === undefined || (isDocument && DOCUMENT_TEXTS.includes(key)) ? [] : [child as Json],
    ),
  );
}

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc|html?)$/i;
/** By these names tools that write files call the file and what is written. */
const DOCUMENT_PATHS = ['path', 'file_path', 'file', 'filename', 'uri'];
const DOCUMENT_TEXTS = ['content', 'contents', 'text', 'new_string', 'old_string', 'body'];

function first(values: readonly Json[]): string | undefined {
  for (const one of values) {
    const found = destructionIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofText(given: string, depth: number): string | undefined {
  const text = /^[\x20-\x7e\s]*$/.test(given)
    ? given
    : given.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const bare = /['"\\]/.test(text) ? text.replace(/['"\\]/g, '') : text;
  if (depth > DEPTH_MAX || !SUSPECT.test(bare)) return undefined;
  if (/\(\)\s*\{[^}]*\|[^}]*&\s*\}/.test(text)) return 'a fork bomb';
  return ofStatements(text) ?? ofCommands(simpleCommands(text), depth);
}

/** SQL, statement by statement. */
function ofStatements(text: string): string | undefined {
  for (const one of text.split(';')) {
    const statement = one.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trim();
    if (/^drop\s+(?:table|database|schema|owned|tablespace|keyspace)\b/i.test(statement)) {
      return 'it drops a table or a database';
    }
    if (/^truncate\s+(?:table\s+)?[\w."[\]`]+\s*(?:cascade|restart\b.*|,.*)?$/i.test(statement)) {
      return 'it empties a table';
    }
    if (/^delete\s+from\s+[\w."[\]`]+\s*$/i.test(statement)) return 'it empties a table';
  }
  return undefined;
}

function ofCommands(commands: readonly SimpleCommand[], depth: number): string | undefined {
  let here = '';
  let isDecoded = false;
  for (const { words: given, isPiped, outputs } of commands) {
    const words = unwrapped(given);
    const program = nameOf(words[0]);
    if (outputs.some(isDisk)) return 'it writes over a disk';
    if (isDecoded && SHELLS.has(program)) return 'it runs what it decodes';
    if (program === 'cd') here = words[1] ?? '~';
    const found = ofCommand(program, words.slice(1), { here, depth });
    if (found !== undefined) return found;
    const decodes =
      DECODERS.has(program) && words.some((word) => /^-+(?:d|D|r|decode|di)$/.test(word));
    isDecoded = isPiped && (isDecoded || decodes);
  }
  return undefined;
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);
const DECODERS = new Set(['base64', 'base32', 'xxd', 'openssl', 'uudecode']);
const WRAPPERS = new Set([
  ...['sudo', 'doas', 'env', 'nohup', 'time', 'nice', 'ionice', 'command', 'exec', 'builtin'],
  ...['xargs', 'timeout', 'setsid', 'stdbuf', 'busybox', 'then', 'do', 'else', '!'],
]);

/** Without what only starts another program. */
function unwrapped(words: readonly string[]): readonly string[] {
  let at = 0;
  while (WRAPPERS.has(nameOf(words[at])) || (at > 0 && isOption(words[at] ?? ''))) at++;
  return words.slice(at);
}

const isOption = (word: string) => /^(?:-|\w+=|\d+[smhd]?$)/.test(word);
const nameOf = (word: string | undefined) => (word ?? '').split('/').at(-1)!.toLowerCase();

interface Place {
  /** Where an earlier `cd` went. */
  readonly here: string;
  readonly depth: number;
}

function ofCommand(
  program: string,
  rest: readonly string[],
  { here, depth }: Place,
): string | undefined {
  const has = (...names: string[]) => rest.some((word) => names.includes(word));
  const flags = rest.filter((word) => /^-[A-Za-z]+$/.test(word)).join('');
  const isRecursive = /r/i.test(flags) || has('--recursive');
  const targets = rest.filter((word) => !word.startsWith('-'));
  const isBroad = targets.some((one) => broad(one) || (broad(here) && /^[.*/]*$/.test(one)));
  if (SHELLS.has(program) || program === 'eval' || program === 'ssh' || program === 'su') {
    return (
      rest.map((word) => ofText(word, depth + 1)).find((found) => found !== undefined) ??
      (program === 'eval' || program === 'ssh' ? ofText(rest.join(' '), depth + 1) : undefined)
    );
  }
  if (/^(?:python[\d.]*|node|perl|ruby|php|deno|bun)$/.test(program)) {
    const code = rest.join(' ');
    return /(?:rmtree|rmsync|rm_rf|remove_dir_all|system)\w*\(\s*['"](?:\/|~|rm -rf)/i.test(code)
      ? 'it deletes from a root'
      : undefined;
  }
  switch (program) {
    case 'rm':
      if (has('--no-preserve-root')) return 'it deletes a root';
      return isRecursive && isBroad ? 'it deletes a root, a home or a whole tree' : undefined;
    case 'find':
      return targets.some((one) => one !== '.' && broad(one)) && has('-delete', 'rm', 'shred')
        ? 'it deletes from a root'
        : undefined;
    case 'chmod':
    case 'chown':
      return isRecursive && targets.some((one) => one.startsWith('/') && broad(one))
        ? 'it changes who may use a whole system'
        : undefined;
    case 'dd':
      return rest.some((word) => isDisk(word.replace(/^of=/, '')) && word.startsWith('of='))
        ? 'it writes over a disk'
        : undefined;
    case 'shred':
    case 'wipefs':
      return 'it writes over a disk or a file';
    case 'psql':
    case 'mysql':
    case 'mariadb':
    case 'sqlite3':
    case 'clickhouse-client':
    case 'mongosh':
    case 'redis-cli':
      return rest
        .map((word) =>
          /dropDatabase\(|^flush(?:all|db)$/i.test(word)
            ? 'it empties a database'
            : ofStatements(word),
        )
        .find((found) => found !== undefined);
    case 'dropdb':
      return 'it drops a database';
    case 'terraform':
    case 'tofu':
    case 'pulumi':
      // Options such as -chdir=… may stand before the command.
      return targets[0] === 'destroy' || (targets[0] === 'apply' && has('-destroy'))
        ? 'it destroys infrastructure'
        : undefined;
    case 'kubectl':
    case 'oc':
      return has('delete') &&
        has('ns', 'namespace', 'namespaces', 'node', 'nodes', 'pv', 'pvc', 'crd', '--all', 'all')
        ? 'it destroys infrastructure'
        : undefined;
    case 'aws':
      if (has('s3') && (has('rb') || (has('rm') && isRecursive))) return 'it deletes storage';
      return rest.some((word) => /^(?:delete|terminate|destroy)-/.test(word))
        ? 'it destroys infrastructure'
        : undefined;
    case 'gcloud':
    case 'az':
    case 'doctl':
    case 'flyctl':
    case 'heroku':
    case 'gh':
      return has('delete', 'destroy', 'apps:destroy', 'pg:reset') && !has('branch', 'label', 'run')
        ? 'it destroys infrastructure'
        : undefined;
    case 'git':
      return isForcedPush(rest) ? 'it rewrites or deletes history on a remote' : undefined;
    case 'shutdown':
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return 'it stops the machine';
    case 'crontab':
      return flags.includes('r') ? 'it deletes a crontab' : undefined;
    case 'kill':
      return has('-1') && targets.length === 0 ? 'it ends every process' : undefined;
    default:
      return program.startsWith('mkfs') ? 'it makes a new file system' : undefined;
  }
}

/** Of the options that stand before git's command, those whose value is the next word. */
const GIT_VALUED = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--attr-source'],
]);

function isForcedPush(words: readonly string[]): boolean {
  let at = 0;
  while (words[at]?.startsWith('-')) at += GIT_VALUED.has(words[at]!) ? 2 : 1;
  const [command, ...rest] = words.slice(at);
  return (
    command === 'push' &&
    rest.some((word) => /^(?:-[A-Za-z]*f[A-Za-z]*|--(?:force|mirror|delete)|[:+]\w.*)$/.test(word))
  );
}

const isDisk = (path: string) => /^\/dev\/(?!null$|stdout$|stderr$|tty)/.test(path);

/** A root, a home, a whole working tree, or a folder of the system. */
function broad(path: string): boolean {
  if (/^(?:~|\$\{?HOME\}?|\.|\.\.|\*|\.git|[A-Za-z]:)?(?:[\\/]*\*?[\\/]*)$/.test(path))
    return path !== '';
  return /^\/[^/]+\/?\*?$/.test(path) || /^\/(?:home|Users|root)\/[^/]+\/?\*?$/.test(path);
}
