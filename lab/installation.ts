/**
 * A real Hone beside a simulated fleet: a git repository made for the run, an installation set up by
 * `hone init` and `hone config accept`, and every command of the real command line, all in virtual time.
 * Nothing of the machine's settings reaches it, and everything is removed at the end.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { ManualClock, seededRandom } from '../src/base/index.ts';
import { captureIo } from '../src/cli/captured-io.ts';
import type { Context } from '../src/cli/context.ts';
import type { Io } from '../src/cli/io.ts';
import { runCli } from '../src/cli/program.ts';
import { makeContext } from '../src/compose/context.ts';
import type { Surroundings } from '../src/compose/surroundings.ts';
import {
  forgetAtExit,
  type OpenRepository,
  openRepository,
  removeAtExit,
} from '../src/git/index.ts';
import { VERSION } from '../src/version.ts';
import { replayOf } from './approvers.ts';
import { applyCommit, type PeopleCommit } from './commits.ts';
import { Recording } from './recording.ts';
import { fleetReplay } from './replay.ts';
import { firstFiles, type Scenario } from './scenario.ts';

const BRANCH = 'refs/heads/main';

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The one JSON document of `--json`. */
  json<T>(): T;
}

export interface LabOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  /** A PostgreSQL URL; SQLite without it. */
  readonly postgresUrl?: string;
  /** Where to go on: a folder that an earlier process left behind. */
  readonly folder?: string;
  readonly startMs?: number;
  /** Also where the process ends before the lab is closed. */
  readonly removeAtExit?: boolean;
  /** How wide the terminal is that shows what commands say; a pipe without it. */
  readonly columns?: () => number;
}

export interface LabInstallation extends AsyncDisposable {
  readonly folder: string;
  readonly repository: OpenRepository;
  readonly clock: ManualClock;
  readonly telemetryFolder: string;
  /** The context that commands get; for what works beside them. */
  context(io?: Io): Context;
  hone(...args: string[]): Promise<Ran>;
  /** Of the first operator's token, which `hone init` shows; empty where an earlier process ran it. */
  readonly operatorSecret: string;
  /** As `hone`, with a token that proves who decides. */
  honeAs(secret: string, ...args: string[]): Promise<Ran>;
  /** The files of a commit, or of what the fleet runs now. */
  files(commit?: string): Promise<ReadonlyMap<string, string>>;
  /** What a person commits to the branch that the fleet runs. */
  commit(commit: PeopleCommit): Promise<void>;
  /** What a replay may know of what happened; undefined where it knows everything or nothing. */
  readonly recording: Recording | undefined;
  /** Leaves everything where it is, for another process to go on. */
  leave(): Promise<void>;
}

export async function openLab(options: LabOptions): Promise<LabInstallation> {
  const { scenario, seed } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'hone-lab-'));
  if (options.removeAtExit === true) removeAtExit(folder);
  const root = join(folder, 'agents');
  const telemetryFolder = join(folder, 'telemetry');
  const isNew = options.folder === undefined;
  if (isNew) makeFolders(root, telemetryFolder);
  const repository = await openRepository({ root, durable: false, tempFolder: folder });
  const clock = new ManualClock(options.startMs ?? Date.parse(scenario.start));
  if (isNew) await firstCommit(repository, scenario, { root, atMs: clock.nowMs() });

  const files = filesReader(repository);
  const knows = replayOf(scenario);
  const recording = knows === 'censored' ? new Recording() : undefined;
  const replay = fleetReplay({ scenario, seed, readFiles: files, recording });
  const random = seededRandom(seed * 7919 + (isNew ? 0 : clock.nowMs() % 7907));
  const environment = labEnvironment(folder, options.postgresUrl);
  const surroundings = (io: Io, extra: Record<string, string> = {}): Surroundings => ({
    clock,
    random,
    environment: { ...environment, ...extra },
    cwd: root,
    simulated: true,
    io: () => io,
    ...(knows === 'none' ? {} : { replay }),
  });
  const context = (io: Io = captureIo().io(false)) => makeContext(false, VERSION, surroundings(io));
  const hone = (args: string[], extra: Record<string, string> = {}) =>
    captured(
      args,
      (json, io) => makeContext(json, VERSION, surroundings(io, extra)),
      options.columns?.(),
    );
  const close = async () => {
    await repository[Symbol.asyncDispose]();
  };
  const operatorSecret = isNew ? await setUp({ root, telemetryFolder, options, hone }) : '';
  return {
    folder,
    repository,
    clock,
    telemetryFolder,
    context,
    files,
    recording,
    commit: (commit) => commitAs(repository, commit, { files, atMs: clock.nowMs() }),
    operatorSecret,
    hone: (...args) => hone(args),
    honeAs: (secret, ...args) => hone(args, { HONE_TOKEN: secret }),
    leave: close,
    async [Symbol.asyncDispose]() {
      await close();
      rmSync(folder, { recursive: true, force: true });
      forgetAtExit(folder);
    },
  };
}

function makeFolders(root: string, telemetryFolder: string): void {
  makeGitFolder(root);
  mkdirSync(telemetryFolder);
}

/** A repository without a commit. */
export function makeGitFolder(root: string): void {
  for (const part of ['objects', 'refs/heads']) {
    mkdirSync(join(root, '.git', part), { recursive: true });
  }
  writeFileSync(join(root, '.git', 'HEAD'), `ref: ${BRANCH}\n`);
}

/**
 * The fleet runs what is on `main`. The working tree has the same files with its HEAD detached, as
 * somebody's checkout beside a deployment: Hone never touches it.
 */
async function firstCommit(
  repository: OpenRepository,
  scenario: Scenario,
  { root, atMs }: { root: string; atMs: number },
): Promise<void> {
  const files = [...firstFiles(scenario)];
  const changes = files.map(([path, text]) => ({ path, content: Buffer.from(text) }));
  const commit = await repository.commit({
    tree: await repository.writeFiles(undefined, changes),
    parents: [],
    message: 'The agents as they are\n',
    author: { name: 'Operator', email: 'operator@example.org', atMs },
  });
  await repository.moveRef(BRANCH, commit, undefined);
  writeFileSync(join(root, '.git', 'HEAD'), `${commit}\n`);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function commitAs(
  repository: OpenRepository,
  commit: PeopleCommit,
  { files, atMs }: { files: LabInstallation['files']; atMs: number },
): Promise<void> {
  const head = (await repository.resolve(BRANCH))!;
  const before = await files(head);
  const after = applyCommit(before, commit);
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changes = paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => {
      const text = after.get(path);
      return { path, content: text === undefined ? null : Buffer.from(text) };
    });
  if (changes.length === 0) return;
  const made = await repository.commit({
    tree: await repository.writeFiles(head, changes),
    parents: [head],
    message: `${commit.message}\n`,
    author: { name: commit.author, email: 'people@example.org', atMs },
  });
  if (!(await repository.moveRef(BRANCH, made, head)))
    throw new Error('the branch moved meanwhile');
}

/** Nothing of the machine's: no git identity, no settings, a state folder of its own. */
export function labEnvironment(folder: string, postgresUrl?: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...(postgresUrl === undefined ? {} : { HONE_DATABASE_URL: postgresUrl }),
  };
}

async function setUp(options: {
  root: string;
  telemetryFolder: string;
  options: LabOptions;
  hone: (args: string[], extra?: Record<string, string>) => Promise<Ran>;
}): Promise<string> {
  const { root, telemetryFolder, hone } = options;
  const file = join(root, 'hone.yaml');
  // "hone init" finds the agents' files by itself, as it does for everybody; a file that is there already it keeps.
  if (options.options.postgresUrl !== undefined) {
    const { agents } = options.options.scenario.traffic;
    const agentFiles = JSON.stringify([...new Set(agents.flatMap((one) => one.file ?? []))]);
    const store = 'store:\n  url: env:HONE_DATABASE_URL\n';
    writeFileSync(file, `target:\n  agentFiles: ${agentFiles}\n${store}`);
  }
  const made = expectDone(await hone(['init', '--json'])).json<{ token: { secret: string } }>();
  const document = parseDocument(readFileSync(file, 'utf8'));
  document.setIn(
    ['observe', 'sources'],
    document.createNode([{ name: 'fleet', path: telemetryFolder }]),
  );
  for (const glob of options.options.scenario.agent_files ?? []) {
    const listed: unknown = document.getIn(['target', 'agentFiles']);
    if (listed === undefined) document.setIn(['target', 'agentFiles'], document.createNode([]));
    document.addIn(['target', 'agentFiles'], glob);
  }
  writeFileSync(file, document.toString());
  // Without a digest it only says what would be accepted.
  const { digest } = (await hone(['config', 'accept', '--json'])).json<{ digest: string }>();
  // Other files than those found may be less: only an operator names them.
  const proof = { HONE_TOKEN: made.token.secret };
  expectDone(await hone(['config', 'accept', '--digest', digest], proof));
  return made.token.secret;
}

export function expectDone(ran: Ran): Ran {
  if (ran.exit !== 0) throw new Error(`hone ended with ${ran.exit}:\n${ran.out}${ran.err}`);
  return ran;
}

/** What a commit holds stays as it is, so it is read once. */
function filesReader(repository: OpenRepository): LabInstallation['files'] {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return async (commit) => {
    const at = commit ?? (await repository.resolve(BRANCH))!;
    const files = known.get(at) ?? (await readFiles(repository, at));
    known.set(at, files);
    return files;
  };
}

async function readFiles(
  repository: OpenRepository,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { path } of await repository.listFiles(commit, '')) {
    files.set(path, Buffer.from((await repository.readFile(commit, path))!).toString());
  }
  return files;
}

/** Runs a command of the real command line, and keeps what it says. */
export async function captured(
  args: string[],
  make: (json: boolean, io: Io) => Context,
  columns = Infinity,
): Promise<Ran> {
  const { io, said } = captureIo({ columns, errorColumns: columns });
  const exit = await runCli(args, (json) => make(json, io(json)));
  const { out, err } = said;
  return { exit, out, err, json: <T>() => JSON.parse(out) as T };
}
