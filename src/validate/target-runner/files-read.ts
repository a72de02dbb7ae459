/**
 * Which files of the target a command read (VAL-6). By their access times, which the kernel sets on the copy that a run works on:
 * they are put far back before, and looked at after. `strace` would see lookups in vain too, but is rarely installed, has to be
 * allowed to trace, and makes a run several times slower.
 *
 * What runs can set such times too. So the answer is to be believed of programs that the change under test did not write.
 */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bind } from '../../sandbox/index.ts';
import { TARGET } from './inside.ts';

const LIST = '/work/watched';
/** Older than any file, so that the first read is noted wherever access times are kept at all (`relatime` too). */
const LONG_AGO = 1;

/** A file system that keeps no access times (`noatime`) would say of every file that nobody read it. */
const IS_KEPT = `p=${TARGET}/.$1 && echo > $p && touch -a -d @${LONG_AGO} $p && cat $p > /dev/null && test $(stat -c %X $p) -gt ${LONG_AGO} && k=1; rm -f $p`;
const PUT_BACK = `xargs -0 touch -a -c -d @${LONG_AGO} -- < ${LIST}`;
/** In the order of the list: 1 for a file that was read or is gone, 0 for one that was not. */
const SAY = `xargs -0 sh -c 'for f do t=$(stat -c %X -- "$f") && test "$t" -le ${LONG_AGO} && printf 0 || printf 1; done' sh < ${LIST} 2> /dev/null`;

/** Around a script that runs the command and leaves its exit code in `e`; the first argument is `mark`. */
export function watching(setUp: string, call: string): string {
  return `k=; { ${setUp} && { ${IS_KEPT}; ${PUT_BACK} || k=; :; }; } </dev/null || exit; m=$1; shift; ${call}; test -z "$k" || { printf '\\n%s' "$m"; ${SAY}; }; exit $e`;
}

/** The list, where a run finds it. */
export async function watchedList(
  paths: readonly string[],
  { folder, id }: { readonly folder: string; readonly id: string },
): Promise<Bind> {
  const from = join(folder, `watched-${id}`);
  await writeFile(from, paths.map((path) => `./${path}\0`).join(''));
  await chmod(from, 0o644);
  return { from, to: LIST };
}

/** What the command printed, and which of the files it read; undefined where that was not said. */
export function filesRead(
  printed: Buffer,
  { mark, paths }: { readonly mark: string; readonly paths: readonly string[] },
): { readonly output: Buffer; readonly read: ReadonlySet<string> | undefined } {
  const marked = Buffer.from(`\n${mark}`);
  const at = printed.lastIndexOf(marked);
  if (at === -1) return { output: printed, read: undefined };
  const said = printed.subarray(at + marked.length).toString('latin1');
  const output = printed.subarray(0, at);
  if (!/^[01]*$/.test(said) || said.length !== paths.length) return { output, read: undefined };
  return { output, read: new Set(paths.filter((_, index) => said[index] === '1')) };
}
