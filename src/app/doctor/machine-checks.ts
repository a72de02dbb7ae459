/** The machine: programs, the disk, who may read Hone's files. Needs no store. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isOpenToOthers } from '../../home/index.ts';
import { type Check, error, type Machine, ok, warning } from './types.ts';

const FREE_BYTES_LOW = 1e9;
/** Too little for a WAL to grow in while a backup is taken. */
const FREE_BYTES_MIN = 1e8;

export const machineChecks: readonly Check[] = [
  {
    name: 'node',
    needs: 'machine',
    look: async () => ok(`Node ${process.versions.node}`),
  },
  { name: 'git', needs: 'machine', look: lookAtGit },
  { name: 'programs', needs: 'machine', look: lookForPrograms },
  { name: 'disk', needs: 'machine', look: lookAtDisk },
  { name: 'permissions', needs: 'machine', look: lookAtPermissions },
];

async function lookAtGit({ context }: Machine) {
  try {
    const env = { ...context.environment };
    const { stdout } = await promisify(execFile)('git', ['--version'], { env });
    return ok(stdout.trim());
  } catch {
    return error('git was not found.', 'Install git, and see that it is in PATH.');
  }
}

/** Useful for some settings and measurements; daily operation does not need them. */
async function lookForPrograms({ context }: Machine) {
  const folders = (context.environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  const isThere = async (name: string) => {
    const found = folders.map((folder) => access(join(folder, name), constants.X_OK));
    return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled');
  };
  const words = ['ssh-keygen', 'bwrap', 'strace'].map(
    async (name) => `${name} ${(await isThere(name)) ? 'found' : 'not found'}`,
  );
  return ok((await Promise.all(words)).join(', '));
}

async function lookAtDisk({ home }: Machine) {
  const { bavail, bsize } = await statfs(home.stateDir);
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB free for ${home.stateDir}`;
  const remedy = 'Free some space: a full disk stops every write.';
  if (free < FREE_BYTES_MIN) return error(text, remedy);
  return free < FREE_BYTES_LOW ? warning(text, remedy) : ok(text);
}

/** A private folder protects its contents; files with secrets are still checked. */
async function lookAtPermissions({ home }: Machine) {
  const { stateDir, keyFile, acceptedFile } = home;
  const open = [stateDir, keyFile, acceptedFile].filter(
    (path) => existsSync(path) && isOpenToOthers(path),
  );
  if (open.length === 0) return ok('The state folder and its secrets are yours alone.');
  return error(
    `Others on this machine may read ${open.join(', ')}.`,
    `Run: chmod -R go= ${stateDir}`,
  );
}
