/** Absolute paths: their first two components say enough about where, and a home folder's name is a person's. */
import type { Found } from './found.ts';
import { markEnd, matchEnd } from './shapes.ts';
import type { SanitiserRules } from './types.ts';

const PART = `[^\\s/"'\`<>()[\\]{}|,;:*?&=#$!\\\\^]+`;
const WINDOWS_PART = `[^\\s\\\\/"'\`<>()[\\]{}|,;:*?]+`;
const DRIVE = new RegExp(
  `[A-Za-z]:(?:\\\\{1,4}|/(?!/))${WINDOWS_PART}(?:(?:\\\\{1,4}|/)${WINDOWS_PART})*`,
  'y',
);
const SHARE = new RegExp(`\\\\{2,4}${WINDOWS_PART}(?:\\\\{1,4}${WINDOWS_PART})+`, 'y');
const ROOTED = new RegExp(
  `(?:(?<![A-Za-z0-9_.~/)\\]}%*?<-])|(?<=\\\\[nrt])|(?<=file://))~?/(?!/)${PART}(?:/+${PART})*`,
  'y',
);
const SEPARATORS = /[\\/]+/;

/** At a slash. */
export function pathAt(found: Found, slash: number): number | undefined {
  const start = found.text[slash - 1] === '~' ? slash - 1 : slash;
  return cut(found, start, matchEnd(ROOTED, found.text, start));
}

/** At a backslash. */
export function sharePathAt(found: Found, at: number): number | undefined {
  if (/[\\\w]/.test(found.text[at - 1] ?? '')) return undefined;
  return cut(found, at, matchEnd(SHARE, found.text, at));
}

/** At the colon behind a drive's letter. */
export function drivePathAt(found: Found, colon: number): number | undefined {
  const start = colon - 1;
  if (/[A-Za-z0-9]/.test(found.text[start - 1] ?? '')) return undefined;
  return cut(found, start, matchEnd(DRIVE, found.text, start));
}

function cut(found: Found, start: number, end: number): number | undefined {
  if (end === start) return undefined;
  const path = found.text.slice(start, end).replace(/[.]+$/, '');
  if (isAllowedPath(path, found.rules)) return end;
  const kept = keptLength(path);
  home(found, start, path.slice(0, kept));
  if (kept < path.length) found.add('path', start + kept, start + path.length, '');
  return end;
}

function keptLength(path: string): number {
  const first = /^(?:[A-Za-z]:|~)?[\\/]+/.exec(path)![0].length;
  const parts = path.slice(first).split(SEPARATORS);
  if (parts.length <= 2) return path.length;
  return path.indexOf(parts[1]!, first + parts[0]!.length) + parts[1]!.length;
}

const HOME = /^(?:[A-Za-z]:)?[\\/]+(?:home|Users|Documents and Settings)[\\/]+([^\\/]+)$/;
/** Accounts of machines and images; a person has none of these names. */
const NOBODY =
  /^(?:agents?|app|apps|root|users?|runner|ubuntu|debian|ec2-user|azureuser|opc|node|python|vscode|codespace|gitpod|admin|administrator|jenkins|www-data|git|build(?:er|kite)?|ci|circleci|travis|gitlab-runner|github|docker|dev|developer|deploy|svc|service|worker|bot|shared|public|default|all|test|me|you|name|username|your_?name|linuxbrew|airflow|jovyan|postgres|mysql|redis|nginx|hone|a|b|u|x|[<${*%].*|x\.*)$/i;

/** `/home/alice`: whose it is goes, where it is stays. */
function home(found: Found, start: number, path: string): void {
  const user = HOME.exec(path)?.[1];
  if (user === undefined || NOBODY.test(user) || markEnd(user, 0) !== undefined) return;
  found.add('user', start + path.length - user.length, start + path.length, '[REDACTED:USER]');
}

function isAllowedPath(path: string, { allowedPaths }: SanitiserRules): boolean {
  const parts = path.split(SEPARATORS);
  if (allowedPaths.length === 0 || parts.includes('..')) return false;
  return allowedPaths.some((allowed) => {
    const wanted = allowed.replace(/[\\/]+$/, '').split(SEPARATORS);
    return wanted.every((part, at) => parts[at] === part);
  });
}
