/**
 * Links of a Markdown text to other files of the target (VAL-2). Only those that a change adds are judged: what was broken before
 * is not its doing. Pure.
 */
import { posix } from 'node:path';

/** Inline and images, with or without `<>` and a title; and definitions of references. */
const INLINE =
  /\]\(\s{0,9}(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}))(?:\s{1,9}["'(][^\n]{0,500})?\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:\s{1,9}<?([^\s<>]{1,500})>?/gm;
const FENCED = /^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|$(?![\s\S]))/gm;
const CODE = /(`{1,8})(?!`)[^\n]*?[^`]\1(?!`)/g;
/** With a scheme, of another host, from the root of a site, or within the page. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?|$)/i;

/** Paths of the target that a text links to, from the root, each once; undefined for one that leads out of it. */
function linkedPaths(text: string, file: string): Map<string, string | undefined> {
  const prose = text.replace(FENCED, '\n').replace(CODE, '');
  const targets = [
    ...[...prose.matchAll(INLINE)].map(([, pointed, plain]) => pointed ?? plain!),
    ...[...prose.matchAll(DEFINITION)].map(([, target]) => target!),
  ];
  const local = targets.filter((target) => !ELSEWHERE.test(target));
  return new Map(local.map((target) => [target, pathOf(target, file)]));
}

function pathOf(target: string, file: string): string | undefined {
  const bare = decoded(target.replace(/[#?].*$/s, ''));
  const path = posix.join(posix.dirname(file), bare).replace(/\/$/, '');
  return path === '..' || path.startsWith('../') ? undefined : path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Those that the change adds and that lead to no file or folder of the target, as they are written. */
export function brokenLinks(
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
  paths: ReadonlySet<string>,
): string[] {
  const known = linkedPaths(before, file);
  return [...linkedPaths(after, file)]
    .filter(([target, path]) => !known.has(target) && !(path !== undefined && paths.has(path)))
    .map(([target]) => target);
}

/** Every file, and every folder above one; `.` is the root. */
export function pathsOf(files: readonly { readonly path: string }[]): Set<string> {
  const paths = new Set(['.']);
  for (const { path } of files)
    for (let at = path; at !== '.' && !paths.has(at); at = posix.dirname(at)) paths.add(at);
  return paths;
}
