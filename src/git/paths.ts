/**
 * Names that are safe to give to git and to a file system. Paths come from agents' patches and from
 * trees that anybody could have made, so both are attacker-controlled.
 *
 * A tree's own path must be one that can be followed without leaving the tree (`treePathProblem`); a
 * path that Hone writes must also be one that every file system reads the same way
 * (`newPathProblem`). Git checks most of this itself, in places that differ between commands.
 */

const PATH_BYTES_MAX = 4096;
const COMPONENT_BYTES_MAX = 255;

/** Code points that HFS+ ignores in names, so that `.g<U+200C>it` opens `.git` (CVE-2014-9390). */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Whether some file system opens git's own folder by this name: any case, NTFS's trailing dots and
 * spaces, its streams (`.git::$INDEX_ALLOCATION`), its short names (`GIT~1`), HFS+'s ignored characters.
 */
function opensGitFolder(component: string): boolean {
  const plain = component.replace(HFS_IGNORED, '').toLowerCase();
  const upToStream = plain.split(':', 1)[0]!.replace(/[. ]+$/, '');
  return upToStream === '.git' || /^git~\d+$/.test(upToStream);
}

function componentProblem(component: string): string | undefined {
  if (component === '') return 'it has an empty component';
  if (component === '.' || component === '..') return `it has the component "${component}"`;
  if (opensGitFolder(component)) return 'it leads into git’s own folder';
  if (component.includes('\0')) return 'it holds a NUL';
  return undefined;
}

/** Why a path found in a tree cannot be followed; undefined when it can. */
export function treePathProblem(path: string): string | undefined {
  for (const component of path.split('/')) {
    const problem = componentProblem(component);
    // Windows reads a backslash as a slash, so each side of it must be harmless too.
    const parts = component.includes('\\') ? component.split('\\') : [];
    const inner = parts.map(componentProblem).find((one) => one !== undefined);
    if (problem !== undefined || inner !== undefined) return problem ?? inner;
  }
  return undefined;
}

/** Why a path may not be written; undefined when it may. */
export function newPathProblem(path: string): string | undefined {
  if (!path.isWellFormed()) return 'it is not well-formed Unicode';
  if (/\p{Cc}/u.test(path)) return 'it holds a control character';
  if (path.includes('\\')) return 'it holds a backslash';
  if (/^[A-Za-z]:/.test(path)) return 'it begins with a drive';
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return `it is longer than ${PATH_BYTES_MAX} bytes`;
  const long = path.split('/').some((one) => Buffer.byteLength(one) > COMPONENT_BYTES_MAX);
  if (long) return `a component is longer than ${COMPONENT_BYTES_MAX} bytes`;
  return treePathProblem(path);
}

/** A path for a message: printable, and not longer than a line. */
export function shownPath(path: string): string {
  const shown = JSON.stringify(path).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu,
    (one) => `\\u${one.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}

/**
 * The order of git's listings: by the bytes of UTF-8, which is the order of code points. UTF-16 differs
 * only in that surrogates stand before U+E000. (Comparing buffers costs twenty times as much.)
 */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const place = (unit: number) => {
    if (Number.isNaN(unit)) return -1;
    return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
  };
  return place(a.charCodeAt(at)) - place(b.charCodeAt(at));
}

/**
 * Why a name is not a full ref name (the rules of git-check-ref-format); undefined when it is one. With the
 * prefix `refs/` required, a name can be neither an option nor `HEAD`.
 */
export function refNameProblem(name: string): string | undefined {
  if (!/^refs\/[^/]+\/./.test(name))
    return 'a full name begins with refs/ and a kind, like refs/heads/main';
  if (!name.isWellFormed() || Buffer.byteLength(name) > PATH_BYTES_MAX)
    return 'it is too long or ill-formed';
  if (/[\p{Cc} ~^:?*[\\]/u.test(name)) return 'it holds a character that refs may not have';
  if (name.includes('..') || name.includes('@{')) return 'it holds ".." or "@{"';
  if (name.endsWith('.') || name.endsWith('/')) return 'it ends with a dot or a slash';
  const bad = name
    .split('/')
    .some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'));
  if (bad) return 'a component is empty, begins with a dot or ends with .lock';
  const long = name
    .split('/')
    .some((one) => Buffer.byteLength(one) > COMPONENT_BYTES_MAX - '.lock'.length);
  return long ? 'a component is too long for a file name' : undefined;
}

/** Kinds of refs that are moved here. Others mean something to git itself (`refs/replace/`, `refs/bisect/`). */
const MOVABLE = ['refs/heads/', 'refs/tags/', 'refs/hone/'];

export function movableRefProblem(name: string): string | undefined {
  const problem = refNameProblem(name);
  if (problem !== undefined) return problem;
  if (name === 'refs/heads/HEAD') return 'a branch called HEAD hides HEAD';
  return MOVABLE.some((prefix) => name.startsWith(prefix))
    ? undefined
    : `only ${MOVABLE.join(', ')} are moved`;
}
