/** A real sshd on this machine, one process per connection, that lets one key in as the user who runs the tests. */
import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const SSHD = '/usr/sbin/sshd';

/** Why there is no sshd here, in words for people; undefined where there is one. */
export function sshdProblem(): string | undefined {
  try {
    accessSync(SSHD, constants.X_OK);
  } catch {
    return 'sshd is not installed: run "npm run setup", or install the package openssh-server.';
  }
  // As root it gives up its rights inside this folder, which a service would have made.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  return undefined;
}

export interface SshHost extends AsyncDisposable {
  /** `ssh://user@host:port`, to put an absolute path behind. */
  readonly url: string;
  readonly key: string;
  readonly knownHosts: string;
}

export async function serveSsh(folder: string): Promise<SshHost> {
  const file = (name: string) => join(folder, name);
  for (const name of ['host-key', 'user-key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  const config = [
    `HostKey ${file('host-key')}`,
    `AuthorizedKeysFile ${file('user-key.pub')}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    // The usual one takes a fifth of a second of each connection, and nobody listens here.
    'KexAlgorithms curve25519-sha256',
    'PidFile none',
    'LogLevel QUIET',
  ];
  writeFileSync(file('sshd_config'), `${config.join('\n')}\n`);
  const children = new Set<ReturnType<typeof spawn>>();
  const server = createServer((socket) => {
    const child = spawn(SSHD, ['-i', '-e', '-f', file('sshd_config')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    socket.on('error', () => {});
    child.stdin.on('error', () => {});
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const hostKey = readFileSync(file('host-key.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(file('known_hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    key: file('user-key'),
    knownHosts: file('known_hosts'),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await new Promise((done) => server.close(done));
    },
  };
}
