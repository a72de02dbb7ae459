/**
 * A ref read from its file, without git: a branch that Hone asks for again and again is a file of one line. Whatever
 * is not plainly that (a symbolic ref, a link, another ref storage, a very long list) is left to git.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isId, type ObjectFormat } from './objects.ts';
import { PLAIN_BYTES_MAX, readPlainFile } from './plain-files.ts';
import type { RefName } from './types.ts';

/** `value`: the id that it holds, undefined where there is no such ref. */
type PlainRef = { readonly value: string | undefined } | 'ask git';

/** In git's own order: the ref's file first, then the packed ones. */
export async function plainRef(
  gitFolder: string,
  ref: RefName,
  format: ObjectFormat,
): Promise<PlainRef> {
  const config = (await readPlainFile(join(gitFolder, 'config'))) ?? '';
  if (config.length >= PLAIN_BYTES_MAX || /refstorage/i.test(config)) return 'ask git';
  // A folder of that name is not a plain file.
  const loose = await readPlainFile(join(gitFolder, ref)).catch(() => '');
  if (loose !== undefined) {
    const id = loose.endsWith('\n') ? loose.slice(0, -1) : '';
    const isPlain = isId(id, format) && (await isOwnFile(gitFolder, ref));
    return isPlain ? { value: id } : 'ask git';
  }
  const packed = (await readPlainFile(join(gitFolder, 'packed-refs'))) ?? '';
  if (packed.length >= PLAIN_BYTES_MAX) return 'ask git';
  const end = packed.indexOf(` ${ref}\n`);
  if (end < 0) return packed.endsWith(` ${ref}`) ? 'ask git' : { value: undefined };
  const id = packed.slice(packed.lastIndexOf('\n', end) + 1, end);
  return isId(id, format) ? { value: id } : 'ask git';
}

/** By exactly this name: a file system may match another one, and a link may lead anywhere. */
async function isOwnFile(gitFolder: string, ref: RefName): Promise<boolean> {
  const [folder, path] = await Promise.all([realpath(gitFolder), realpath(join(gitFolder, ref))]);
  return path === join(folder, ref);
}
