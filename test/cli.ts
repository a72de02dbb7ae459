/** Runs the command line in a repository of its own, with nothing of the machine's settings. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../src/base/index.ts';
import { captureIo } from '../src/cli/captured-io.ts';
import { runCli } from '../src/cli/program.ts';
import { makeContext } from '../src/compose/context.ts';
import { processSurroundings } from '../src/compose/surroundings.ts';

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
  /** In a process of its own in any case: for what is written past `Io`, and for the machine's own settings. */
  process(more: Record<string, string>, ...args: string[]): Promise<Run>;
  /** The state folder; `hone init` makes it. */
  stateDir(): Promise<string>;
  /** With the first operator's token, which the first `stateDir` was shown. */
  honeAsOperator(...args: string[]): Promise<Run>;
  /** Accepts `hone.yaml` as it stands, having seen it: as the operator, or with nothing but being there. */
  accept(as?: 'operator' | 'anybody', ...more: string[]): Promise<Run>;
}

interface MadeByInit {
  readonly stateDir: string;
  readonly token: { readonly secret: string } | null;
}

const SOURCE = new URL('../src/main.ts', import.meta.url).pathname;

export interface InstallationOptions {
  readonly bin?: readonly string[];
  /** In this process: a tenth of the time. For all that is about what commands do, not about processes. */
  readonly inProcess?: boolean;
  /** What commands in this process take for the machine's clock. */
  readonly clock?: Clock;
}

export function makeInstallation(options: InstallationOptions = {}): Installation {
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
    TMPDIR: tmpdir(),
    ...compileCache(),
  };
  writeFileSync(
    join(root, 'gitconfig'),
    '[user]\n\tname = Operator\n\temail = operator@example.org\n',
  );
  for (const part of ['objects', 'refs/heads'])
    mkdirSync(join(repository, '.git', part), { recursive: true });
  writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const bin = options.bin ?? [process.execPath, SOURCE];
  const alone = (more: Record<string, string>, ...args: string[]) =>
    run([...bin, ...args], repository, { ...environment, ...more });
  const honeWith = (args: readonly string[], more: Record<string, string>) =>
    options.inProcess === true
      ? runHere(args, repository, {
          environment: { ...environment, ...more },
          clock: options.clock,
        })
      : alone(more, ...args);
  const hone = (...args: string[]) => honeWith(args, {});
  let secret = '';
  return {
    repository,
    stateHome,
    environment,
    hone,
    process: alone,
    stateDir: async () => {
      const made = (await hone('init', '--json')).json() as MadeByInit;
      secret = made.token?.secret ?? secret;
      return made.stateDir;
    },
    honeAsOperator: (...args) => honeWith(args, { HONE_TOKEN: secret }),
    accept: async (as = 'operator', ...more) => {
      const shown = await hone('config', 'show', '--json');
      const { file } = shown.json() as { file: string | null };
      const digest = file === null ? [] : ['--digest', file];
      return honeWith(
        ['config', 'accept', ...digest, ...more],
        as === 'operator' ? { HONE_TOKEN: secret } : {},
      );
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Of the test run, which removes it; a process with none would leave one of its own behind. */
function compileCache(): Record<string, string> {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

export async function runHere(
  args: readonly string[],
  cwd: string,
  options: {
    environment: Record<string, string>;
    clock?: Clock | undefined;
    /** Of the terminal; a pipe without it. */
    columns?: number;
  },
): Promise<Run> {
  const { environment, clock, columns = Infinity } = options;
  const { io, said } = captureIo({ columns, errorColumns: columns });
  const here = processSurroundings();
  const surroundings = { ...here, environment, cwd, io, clock: clock ?? here.clock };
  const exit = await runCli(args, (json) => makeContext(json, 'test', surroundings));
  return { exit, ...said, json: () => JSON.parse(said.out) };
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
