/**
 * The target's refs without its configuration. Git reads what `include.path` names for every command and cannot
 * be told not to; a pipe there would block a rollback. Where the configuration names other files, refs are read
 * and moved through a git directory of our own in which refs, reflogs and worktrees are links to the target's:
 * the files and their locks are the same (git's own `git-new-workdir` works like this).
 */
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { GitError } from './errors.ts';
import type { GitProcesses } from './git-processes.ts';
import { baseEnvironment } from './hermetic.ts';
import { PLAIN_BYTES_MAX, readPlainFile } from './plain-files.ts';

const LINKED = ['refs', 'packed-refs', 'reftable', 'logs', 'worktrees', 'objects'];

/** A false match costs nothing: the links work for every repository. */
export async function namesOtherFiles(gitFolder: string): Promise<boolean> {
  const text = (await readPlainFile(join(gitFolder, 'config'))) ?? '';
  return /include|worktreeconfig/i.test(text);
}

/** What such a directory's folder begins with, in the workbench. */
export const LINKED_PREFIX = 'linked-';

/** Made each time: HEAD and the settings may have changed. Returns the folder that holds `.git`. */
export async function linkRefs(options: {
  gitFolder: string;
  into: string;
  processes: GitProcesses;
}): Promise<string> {
  const { gitFolder, into, processes } = options;
  const made = await mkdtemp(join(into, LINKED_PREFIX));
  const folder = join(made, '.git');
  await mkdir(folder);
  const head = await readPlainFile(join(gitFolder, 'HEAD'));
  await writeFile(join(folder, 'HEAD'), head ?? 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'config'), await ownSettings(processes, gitFolder));
  for (const name of LINKED) await symlink(join(gitFolder, name), join(folder, name));
  return made;
}

/** The settings for how refs are stored, from the target's own file; none of them names a program or a file. */
async function ownSettings(processes: GitProcesses, gitFolder: string): Promise<string> {
  const value = (key: string) => targetSetting(processes, gitFolder, key);
  const known = async (key: string, values: RegExp, otherwise: string) => {
    const found = (await value(key))?.toLowerCase() ?? '';
    return values.test(found) ? found : otherwise;
  };
  const isBare = await known('core.bare', /^(?:true|false)$/, `${basename(gitFolder) !== '.git'}`);
  const logs = await known(
    'core.logAllRefUpdates',
    /^(?:true|false|always)$/,
    `${isBare !== 'true'}`,
  );
  const objectFormat = await known('extensions.objectFormat', /^sha256$/, '');
  const refStorage = await known('extensions.refStorage', /^reftable$/, '');
  const extensions = [
    ...(objectFormat === '' ? [] : [`objectFormat = ${objectFormat}`]),
    ...(refStorage === '' ? [] : [`refStorage = ${refStorage}`]),
  ];
  const shared = await sharedSetting(processes, gitFolder);
  return [
    '[core]',
    `repositoryFormatVersion = ${extensions.length === 0 ? 0 : 1}`,
    `bare = ${isBare}`,
    `logAllRefUpdates = ${logs}`,
    ...(shared === undefined ? [] : [`sharedRepository = ${shared}`]),
    ...(extensions.length === 0 ? [] : ['[extensions]', ...extensions]),
    '',
  ].join('\n');
}

/** The one setting of the target that is obeyed for objects too. */
export async function sharedSetting(
  processes: GitProcesses,
  gitFolder: string,
): Promise<string | undefined> {
  const value = await targetSetting(processes, gitFolder, 'core.sharedRepository');
  return /^(?:umask|group|all|world|everybody|true|false|[012]|0[0-7]{3})$/.test(value ?? '')
    ? value
    : undefined;
}

/** From the target's own file, without includes. What the file does not name at all is not asked of git. */
export async function targetSetting(
  processes: GitProcesses,
  gitFolder: string,
  key: string,
): Promise<string | undefined> {
  const file = join(gitFolder, 'config');
  const name = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  const text = (await readPlainFile(file)) ?? '';
  if (text.length < PLAIN_BYTES_MAX && !text.toLowerCase().includes(name)) return undefined;
  const args = ['config', '--file', file, '--no-includes', '--get', key];
  const output = await processes.run({ args, env: baseEnvironment(), cwd: '/' });
  return output.exit === 0 ? output.stdout.toString('utf8').trim() : undefined;
}

/** Git's directory of a working tree or bare repository, found without git; undefined when there is none. */
export async function findGitFolder(root: string): Promise<string | undefined> {
  const git = join(root, '.git');
  if ((await readPlainFile(join(git, 'HEAD'))) !== undefined) return git;
  const pointer = /^gitdir: (.+)$/m.exec((await readFileOrFolder(git)) ?? '')?.[1];
  if (pointer !== undefined) {
    const own = resolve(dirname(git), pointer.trim());
    const common = await readPlainFile(join(own, 'commondir'));
    return common === undefined ? own : resolve(own, common.trim());
  }
  return (await readPlainFile(join(root, 'HEAD'))) === undefined ? undefined : root;
}

async function readFileOrFolder(path: string): Promise<string | undefined> {
  try {
    return await readPlainFile(path);
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
