/**
 * Names and sentences of others in places that a forge reads: subjects and bodies of commits, titles. There
 * `#1`, `GH-1`, `@name`, `[skip ci]` and a link are commands, and a name from telemetry may hold any of them.
 *
 * A plain name may be used anywhere as it is. Any other one is quoted, in bodies only, with every character that a
 * forge, a CI or a chat gives a meaning to written as its percent escape. Rejected: Markdown's code spans and
 * quotes, because forges look for closing words and for `[skip ci]` in a commit's raw text.
 */

/** What the interfaces of the large models allow in the name of a tool, and a letter first. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** `GH-1` and `ABC-12` name an issue; `search-2` does not. */
const ISSUE_KEY = /(?<![A-Za-z0-9_-])(?:[A-Z][A-Z0-9]+|[Gg][Hh])-(?=\d+(?![A-Za-z0-9_-]))/g;
/** A commit's name becomes a link to it. */
const COMMIT = /^[0-9a-f]{7,64}$/i;

/** By its shape: letters, digits, `_` and `-`, at most 64, and neither an issue nor a commit. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name) && name.search(ISSUE_KEY) === -1 && !COMMIT.test(name);
}

/** How servers and libraries write whose tool it is: `search:web`, `docs/read`, `files.list`. */
const QUALIFIED = /^[A-Za-z][A-Za-z0-9_-]*(?:[.:/][A-Za-z0-9_-]+)*$/;

/**
 * A name that may stand as a value in a file: plain parts with one sign between two of them, at most 128. It is no link, no
 * path that leads up and no command, but a title does not take it as it is.
 */
export function isQualifiedName(name: string): boolean {
  return name.length <= 128 && QUALIFIED.test(name);
}

/** Issues, merge requests, mentions, words for the CI in brackets or stars, HTML, Markdown, links. */
const MEANING = /[#@[\]*<>`]|!(?=\d)|:(?=\/\/)/g;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** One line in which nothing refers, mentions, links or commands. Twice is once. */
export function inert(text: string): string {
  return text
    .replace(HIDDEN, ' ')
    .replace(MEANING, escaped)
    .replace(ISSUE_KEY, (key) => `${key.slice(0, -1)}%2D`)
    .replace(/\bwww\./gi, (match) => `${match.slice(0, 3)}%2E`)
    .trim();
}

const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * For titles that only Hone shows: a plain name as it is, any other in quotes and as it is written, on one line without
 * hidden characters, at most `lengthMax` long. It is not for places that a forge reads.
 */
export function writtenName(name: string, lengthMax = 60): string {
  if (isPlainName(name) && name.length <= lengthMax) return name;
  const line = name
    .slice(0, 4 * lengthMax)
    .replace(HIDDEN, ' ')
    .trim();
  return quoted(line.replace(/"/g, "'"), lengthMax);
}

/** For a body: a plain name as it is, any other in quotes, inert, and at most `lengthMax` long. */
export function quotedName(name: string, lengthMax = 60): string {
  if (isPlainName(name) && name.length <= lengthMax) return name;
  return quoted(inert(name.slice(0, 4 * lengthMax)).replace(/"/g, escaped), lengthMax);
}

function quoted(text: string, lengthMax: number): string {
  const signs = Array.from(text);
  const cut =
    signs.length > lengthMax ? `${signs.slice(0, lengthMax - 1).join('')}…` : signs.join('');
  return `"${cut}"`;
}
