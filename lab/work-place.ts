/**
 * Where the coding agent of the story works: a small git repository with a real Hone beside it, in real time, because
 * hooks and gateways are processes of their own. Nothing of the machine's settings reaches it; all of it is removed.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock } from '../src/base/index.ts';
import { captureIo } from '../src/cli/captured-io.ts';
import type { Context } from '../src/cli/context.ts';
import type { Io } from '../src/cli/io.ts';
import { makeContext } from '../src/compose/context.ts';
import { processSurroundings } from '../src/compose/surroundings.ts';
import { forgetAtExit, openRepository, removeAtExit } from '../src/git/index.ts';
import { NODE_INSIDE } from '../src/validate/index.ts';
import { VERSION } from '../src/version.ts';
import { captured, expectDone, labEnvironment, makeGitFolder, type Ran } from './installation.ts';

const BRANCH = 'refs/heads/main';

/** What an operator says of the tools; nobody has said anything of `files/delete_tree`. */
const SETTINGS = `
validate:
  test: [${NODE_INSIDE}, --test, --test-reporter=junit, test/retry.test.js]
process:
  own:
    - name: errands
      phases:
        - { name: verify, risk: low, strict: true, gates: [{ name: results, needs: [{ evidence: tests, own: true }] }] }
    - name: notes
      phases:
        - { name: plan, risk: read_only, gates: [{ name: plan, needs: [{ evidence: document, name: plan.md }] }] }
gateway:
  contracts:
    - { tool: files/read_file, risk: read_only, sends: never }
    - { tool: files/write_file, risk: low, sends: never }
    - { tool: post/send_message, risk: medium, sends: always }
`;

export interface WorkPlace extends Disposable {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** As the person whose repository it is. */
  hone(...args: string[]): Promise<Ran>;
  /** With more in the environment: an operator's token, or what says that an agent asks. */
  honeWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran>;
  readonly operatorSecret: string;
  /** Commits these files, and leaves them in the working tree. */
  commit(files: Readonly<Record<string, string>>, message: string): Promise<void>;
  /** As commands get it; for what works beside them. */
  context(): Context;
  /** For commands of this process it is so much later from now on; processes of their own keep the machine's time. */
  later(ms: number): void;
  /** From now on nobody has the branch checked out: the working tree stays at its commit. */
  detach(): Promise<void>;
  /** The working tree gets what the branch has now. */
  pull(): Promise<void>;
  /** A file beside the repository, for handing in. */
  beside(name: string, text: string): string;
  /** Where the server that sends things out puts them. */
  readonly world: string;
  sent(): string;
}

export async function openWorkPlace(
  files: Readonly<Record<string, string>>,
  uncommitted: Readonly<Record<string, string>>,
): Promise<WorkPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'hone-lab-'));
  removeAtExit(folder);
  const root = join(folder, 'repository');
  makeGitFolder(root);
  const environment = labEnvironment(folder);
  let aheadMs = 0;
  const { clock: machine } = processSurroundings();
  const clock: Clock = { ...machine, nowMs: () => machine.nowMs() + aheadMs };
  const contextOf = (json: boolean, io: Io, more: Readonly<Record<string, string>>) =>
    makeContext(json, VERSION, {
      ...processSurroundings(),
      clock,
      environment: { ...environment, ...more },
      cwd: root,
      io: () => io,
    });
  const honeWith = (more: Readonly<Record<string, string>>, ...args: string[]) =>
    captured(args, (json, io) => contextOf(json, io, more));
  const hone = (...args: string[]) => honeWith({}, ...args);
  const commit = (some: Readonly<Record<string, string>>, message: string) =>
    commitAll(root, some, message);
  await commit(files, 'The retry as it is');
  for (const [name, text] of Object.entries(uncommitted)) writeFileSync(join(root, name), text);
  const operatorSecret = await setUp(root, hone, honeWith);
  const world = join(folder, 'world.jsonl');
  return {
    ...{ root, environment, hone, honeWith, operatorSecret, commit, world },
    context: () => contextOf(false, captureIo().io(false), {}),
    later: (ms) => {
      aheadMs += ms;
    },
    detach: () => checkOut(root, []),
    pull: () => checkOut(root, Object.keys(files)),
    beside: (name, text) => {
      const path = join(folder, 'handed-in', name);
      write(path, text);
      return path;
    },
    sent: () => (existsSync(world) ? readFileSync(world, 'utf8') : ''),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
      forgetAtExit(folder);
    },
  };
}

async function setUp(
  root: string,
  hone: WorkPlace['hone'],
  honeWith: WorkPlace['honeWith'],
): Promise<string> {
  const made = expectDone(await hone('init', '--json')).json<{ token: { secret: string } }>();
  appendFileSync(join(root, 'hone.yaml'), SETTINGS);
  const { digest } = (await hone('config', 'accept', '--json')).json<{ digest: string }>();
  // Contracts can weaken what holds: only an operator accepts them.
  const proof = { HONE_TOKEN: made.token.secret };
  expectDone(await honeWith(proof, 'config', 'accept', '--digest', digest));
  for (const gate of ['gateway', 'hooks'])
    expectDone(await hone('switch', 'set', gate, 'enforce', '--reason', 'the story'));
  return made.token.secret;
}

async function commitAll(
  root: string,
  files: Readonly<Record<string, string>>,
  message: string,
): Promise<void> {
  const changes = Object.entries(files).map(([path, text]) => {
    write(join(root, path), text);
    return { path, content: Buffer.from(text) };
  });
  await using repository = await openRepository({ root, durable: false });
  const head = await repository.resolve(BRANCH);
  const made = await repository.commit({
    tree: await repository.writeFiles(head, changes),
    parents: head === undefined ? [] : [head],
    message: `${message}\n`,
    author: {
      name: 'Agent',
      email: 'agent@example.org',
      atMs: processSurroundings().clock.nowMs(),
    },
  });
  await repository.moveRef(BRANCH, made, head);
}

/** Detached at the branch's head; these files as they are there. */
async function checkOut(root: string, paths: readonly string[]): Promise<void> {
  await using repository = await openRepository({ root, durable: false });
  const head = (await repository.resolve(BRANCH))!;
  for (const path of paths) {
    const content = await repository.readFile(head, path);
    if (content !== undefined) write(join(root, path), Buffer.from(content).toString());
  }
  writeFileSync(join(root, '.git', 'HEAD'), `${head}\n`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
