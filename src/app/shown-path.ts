/** Paths as people are shown them: the home folder is `~`, nobody else's user name appears, secrets are masked. */
import { mask } from '../sanitise/index.ts';

const OTHERS_HOME = /^(?:\/home|\/Users|[A-Za-z]:[\\/]Users)[\\/][^\\/]+[\\/]/;

export function shownPath(path: string, home: string | undefined): string {
  return mask(withTilde(path, home).replace(OTHERS_HOME, '…/')).text;
}

export function withTilde(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** As one word of a shell command. A `~` stays outside the quotes: inside them it is no home folder. */
export function shellWord(path: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(path)) return path;
  const [start, rest] = path.startsWith('~/') ? ['~/', path.slice(2)] : ['', path];
  return `${start}'${rest.replaceAll("'", "'\\''")}'`;
}
