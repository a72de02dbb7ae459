/** Runs the real command line in a repository of its own, with nothing of the machine's settings. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Run {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  /** The one JSON document on standard output. */
  json(): unknown;
}

export interface Installation extends Disposable {
  readonly repository: string;
  readonly stateHome: string;
  readonly environment: Record<string, string>;
  /** `bin` is what is run before the arguments: the source, unless told otherwise. */
  hone(...args: string[]): Promise<Run>;
  /** The state folder; `hone init` makes it. */
  stateDir(): Promise<string>;
  /** With the first operator's token, which the first `stateDir` was shown. */
  honeAsOperator(...args: string[]): Promise<Run>;
}

interface MadeByInit {
  readonly stateDir: string;
  readonly token: { readonly secret: string } | null;
}

const SOURCE = new URL('../src/main.ts', import.meta.url).pathname;

export function makeInstallation(options: { bin?: readonly string[] } = {}): Installation {
  const root = mkdtempSync(join(tmpdir(), 'hone-cli-'));
  const repository = join(root, 'agents');
  const stateHome = join(root, 'state');
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    XDG_STATE_HOME: stateHome,
    GIT_CONFIG_GLOBAL: join(root, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
  };
  writeFileSync(
    join(root, 'gitconfig'),
    '[user]\n\tname = Operator\n\temail = operator@example.org\n',
  );
  for (const part of ['objects', 'refs/heads'])
    mkdirSync(join(repository, '.git', part), { recursive: true });
  writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const bin = options.bin ?? [process.execPath, SOURCE];
  const hone = (...args: string[]) => run([...bin, ...args], repository, environment);
  let secret = '';
  return {
    repository,
    stateHome,
    environment,
    hone,
    stateDir: async () => {
      const made = (await hone('init', '--json')).json() as MadeByInit;
      secret = made.token?.secret ?? secret;
      return made.stateDir;
    },
    honeAsOperator: (...args) =>
      run([...bin, ...args], repository, { ...environment, HONE_TOKEN: secret }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function run(
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0]!, command.slice(1), {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, out, err, json: () => JSON.parse(out) }));
  });
}
