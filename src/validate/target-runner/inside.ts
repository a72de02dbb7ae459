/**
 * What a command finds around itself in the sandbox: where the files are, its environment, its programs. The same for
 * every run, so that a run can be repeated: no clock zone, language, seed or setting of the machine.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Bind, SANDBOX_UID, withinReach } from '../../sandbox/index.ts';

/** The files as they are in git, never changed. */
export const MIRROR = '/work/mirror';
/** A copy of them that the command may change. A virtual environment of Python holds this path. */
export const TARGET = '/work/target';
/** What was prepared, as one archive. */
export const PREPARED = '/work/prepared.tar';

const NODE = '/opt/node';
/** The Node that runs Hone, as it is called inside. */
export const NODE_INSIDE = process.execPath.startsWith('/usr/')
  ? process.execPath
  : `${NODE}/bin/node`;
const PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/go/bin'];

export const ENVIRONMENT: Readonly<Record<string, string>> = {
  // A machine's own Node comes first; the one that runs Hone is there where it has none.
  PATH: [...PATH, `${NODE}/bin`].join(':'),
  HOME: '/tmp/home',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  CI: 'true',
  NO_COLOR: '1',
  PYTHONHASHSEED: '0',
  PERL_HASH_SEED: '0',
  // The first day that a ZIP file can name.
  SOURCE_DATE_EPOCH: '315532800',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
};

/** Node and npm of this process, where they are not among the machine's programs, as when a version manager keeps them. */
export async function nodeBinds(folder: string, node = process.execPath): Promise<Bind[]> {
  if (node.startsWith('/usr/')) return [];
  const binds = [{ from: await withinReach(node, folder), to: NODE_INSIDE }];
  const npm = join(dirname(dirname(node)), 'lib', 'node_modules', 'npm');
  if (!existsSync(npm)) return binds;
  const inside = `${NODE}/lib/node_modules/npm`;
  binds.push({ from: await withinReach(npm, folder), to: inside });
  for (const name of ['npm', 'npx']) {
    // A link would have to lead from one bind into another.
    const script = join(folder, `start-${name}`);
    await writeFile(script, `#!/bin/sh\nexec ${NODE_INSIDE} ${inside}/bin/${name}-cli.js "$@"\n`);
    await chmod(script, 0o755);
    binds.push({ from: script, to: `${NODE}/bin/${name}` });
  }
  return binds;
}

/** Programs ask who they are, and where "localhost" is: nothing else of /etc is there. */
export async function writeEtc(folder: string): Promise<Bind[]> {
  const files = {
    passwd: `nobody:x:${SANDBOX_UID}:${SANDBOX_UID}:nobody:/tmp/home:/bin/sh\n`,
    group: `nogroup:x:${SANDBOX_UID}:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
  };
  await mkdir(folder);
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      await writeFile(join(folder, name), text);
      return { from: join(folder, name), to: `/etc/${name}` };
    }),
  );
}
