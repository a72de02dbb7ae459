/**
 * Git's objects as bytes: how a blob, a tree and a commit are written, read and named. Both repositories
 * use it: the one in memory to make the very ids git would, the real one to check that what git handed
 * over is what its id names. Trees and commits are attacker-controlled; reading them never throws on odd
 * content that git itself allows, and refuses what cannot be a tree.
 */
import { nodeCrypto } from '../base/index.ts';
import { GitError } from './errors.ts';
import { byBytes, shownPath } from './paths.ts';
import type { CommitInfo, Signature, TreeFile } from './types.ts';

export type ObjectFormat = 'sha1' | 'sha256';
export type ObjectType = 'blob' | 'tree' | 'commit';

/** The modes that git writes today, as text. */
export type FileMode = '100644' | '100755' | '120000' | '160000';

export interface Entry {
  readonly mode: FileMode;
  readonly id: string;
}

/** One name in one tree: a file, or a folder's tree. */
export interface TreeEntry {
  readonly mode: FileMode | '40000';
  readonly name: string;
  readonly id: string;
}

export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode;
}

const KINDS: Readonly<Record<FileMode, TreeFile['kind']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

export const kindOf = (mode: FileMode): TreeFile['kind'] => KINDS[mode];

export const isRegular = (mode: FileMode): boolean => mode === '100644' || mode === '100755';

/** Old repositories hold modes such as 100664, which git reads as 100644. */
export function readMode(text: string): TreeEntry['mode'] | undefined {
  const plain = text.replace(/^0+/, '');
  if (plain === '40000' || plain === '120000' || plain === '160000') return plain;
  if (/^100[0-7]{3}$/.test(plain)) return Number.parseInt(plain, 8) & 0o100 ? '100755' : '100644';
  return undefined;
}

const idLength = (format: ObjectFormat): number => (format === 'sha1' ? 40 : 64);

export const noId = (format: ObjectFormat): string => '0'.repeat(idLength(format));

export function isId(text: string, format: ObjectFormat): boolean {
  return text.length === idLength(format) && /^[0-9a-f]+$/.test(text);
}

export function objectId(format: ObjectFormat, type: ObjectType, body: Uint8Array): string {
  const hash = nodeCrypto().createHash(format);
  return hash.update(`${type} ${body.length}\0`).update(body).digest('hex');
}

/** Names in the order that git wants: by bytes, a folder as if it ended with a slash. */
export function treeBytes(entries: readonly TreeEntry[]): Buffer {
  const key = (entry: TreeEntry) => (entry.mode === '40000' ? `${entry.name}/` : entry.name);
  const sorted = [...entries].sort((a, b) => byBytes(key(a), key(b)));
  return Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(id, 'hex'),
    ]),
  );
}

export function parseTree(body: Buffer, format: ObjectFormat): TreeEntry[] {
  const idBytes = idLength(format) / 2;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const nul = body.indexOf(0, space);
    const mode = readMode(body.toString('latin1', at, Math.max(space, at)));
    if (space < 0 || nul < 0 || mode === undefined || nul + 1 + idBytes > body.length) {
      throw new GitError('git_failed', 'A tree object is malformed.', {
        hint: 'Run git fsck in the target repository.',
      });
    }
    const name = utf8(body.subarray(space + 1, nul));
    entries.push({ mode, name, id: body.toString('hex', nul + 1, nul + 1 + idBytes) });
    at = nul + 1 + idBytes;
  }
  return entries;
}

/**
 * Paths are text here. A name of other bytes cannot be told from another once it is decoded, so it is
 * refused instead of being listed wrongly.
 */
export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const shown = shownPath(Buffer.from(bytes).toString('latin1'));
    throw new GitError('bad_path', `The path ${shown} is not UTF-8.`, {
      hint: 'Rename the file in the target repository.',
      cause,
    });
  }
}

export interface CommitFields {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
}

const person = (who: Signature): string =>
  `${who.name} <${who.email}> ${Math.floor(who.atMs / 1000)} +0000`;

export function commitBytes(fields: CommitFields): Buffer {
  const head = [
    `tree ${fields.tree}`,
    ...fields.parents.map((parent) => `parent ${parent}`),
    `author ${person(fields.author)}`,
    `committer ${person(fields.author)}`,
  ];
  return Buffer.from(`${head.join('\n')}\n\n${fields.message}`);
}

/** The message is for people: bytes that are not UTF-8 show as U+FFFD. */
export function parseCommit(id: string, body: Buffer): CommitInfo {
  const end = body.indexOf('\n\n');
  const head = body.toString('utf8', 0, end < 0 ? body.length : end).split('\n');
  const values = (key: string) =>
    head.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  return {
    id,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    message: end < 0 ? '' : body.toString('utf8', end + 2),
    author: parsePerson(values('author')[0] ?? ''),
    committedAtMs: parsePerson(values('committer')[0] ?? '').atMs,
  };
}

function parsePerson(text: string): Signature {
  const open = text.indexOf('<');
  const close = text.lastIndexOf('>');
  if (open < 0 || close < open) return { name: text, email: '', atMs: 0 };
  const seconds = Number(/^ (-?\d{1,12})(?: |$)/.exec(text.slice(close + 1))?.[1] ?? 0);
  return {
    name: text.slice(0, open).trimEnd(),
    email: text.slice(open + 1, close),
    atMs: seconds * 1000,
  };
}

/** Why git would write something other than this draft, or nothing at all; undefined when it is fine. */
export function draftProblem(draft: CommitFields): string | undefined {
  const { author, message, parents } = draft;
  // Git silently drops such characters from the ends of names; the commit would differ from the draft.
  const crud = /^[\s.,:;<>"\\']|[\s.,:;<>"\\']$/;
  for (const [what, text] of [
    ['name', author.name],
    ['email', author.email],
  ] as const) {
    if (text === '' || crud.test(text) || /[<>\p{Cc}]/u.test(text) || !text.isWellFormed())
      return `the author's ${what} ${shownPath(text)} cannot be in a commit`;
  }
  if (!Number.isFinite(author.atMs) || author.atMs < 0 || author.atMs >= 253_402_300_800_000)
    return `the time ${author.atMs} is outside the years 1970 to 9999`;
  if (message.includes('\0') || !message.isWellFormed())
    return 'the message holds a NUL or is ill-formed';
  if (Buffer.byteLength(message) > 1024 * 1024) return 'the message is longer than 1 MiB';
  if (new Set(parents).size !== parents.length) return 'a parent is named twice';
  return parents.length > 16 ? 'more than 16 parents' : undefined;
}
