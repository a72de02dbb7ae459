/**
 * Programs that try to get out of the sandbox: read or change what is outside, reach the network, outlive their end, use
 * more than their share. Each is tried with a cgroup where one can be made, and without one. The control tries the harmless ones of them with
 * the walls taken out.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/index.ts';
import {
  probeSandbox,
  runSandboxed,
  type SandboxResult,
  type SandboxRun,
} from '../src/sandbox/index.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { ATTEMPTS, type Attempt, type Outside, TREE } from './parts/escapes.ts';

const CANARY = 'canary-7f3a91c2d4';
const MB = 1024 * 1024;
const WALL_MS = 6_000;
const WALL_MS_MIN = 800;
const LIMITS = {
  wallMs: WALL_MS,
  cpuSeconds: 4,
  memoryBytes: 192 * MB,
  processes: 48,
  fileBytes: 16 * MB,
  scratchBytes: 32 * MB,
  outputBytes: 256 * 1024,
  openFiles: 256,
};

export const measurement: Measurement = {
  what: 'programs that try to get out of the sandbox, or to use more than their share',
  aims: { escapes: '<=0', attempts: '>=30', control_caught: '>=1' },
  run,
};

async function* run(context: Context) {
  const ports = makePorts();
  const probe = await probeSandbox(ports);
  if (!probe.available) throw new Error(probe.why);
  const share = Math.max(1, Math.round(ATTEMPTS.length * context.scale));
  const chosen = ATTEMPTS.filter((_, at) => (at * share) % ATTEMPTS.length < share);
  const wallMs = Math.max(WALL_MS_MIN, WALL_MS * context.scale);
  await using world = await makeOutside();
  const escaped: string[] = [];
  for (const withoutCgroup of [false, true])
    for (const attempt of chosen) {
      context.progress(`${attempt.name}${withoutCgroup ? ', without a cgroup' : ''}`);
      const result = await runSandboxed(runOf(attempt, world, wallMs), { ...ports, withoutCgroup });
      const found = world.traces(result);
      if (found !== undefined) escaped.push(`${attempt.name}: ${found}`);
    }
  yield { metric: 'escapes', value: escaped.length, note: escaped.join('; ') || 'none' };
  yield { metric: 'attempts', value: chosen.length * 2 };
  const safe = ATTEMPTS.filter(({ isSafe }) => isSafe);
  const tried = safe.slice(0, Math.max(2, Math.ceil(safe.length * context.scale)));
  const caught = tried.filter((one) => isCaught(one, world));
  const note = `${caught.length} of ${tried.length} harmless attempts get out where the walls are taken out`;
  yield { metric: 'control_caught', value: caught.length > 0 ? 1 : 0, note };
}

function makePorts() {
  let made = 0;
  return { clock: systemClock, newId: () => `chaos-${process.pid}-${++made}` };
}

function runOf({ script }: Attempt, { outside, tree }: World, wallMs: number): SandboxRun {
  const text = script(outside);
  return {
    argv: text.startsWith('//') ? ['/opt/node', '-e', text] : ['/bin/sh', '-c', text],
    readOnly: [
      { from: tree, to: TREE },
      { from: process.execPath, to: '/opt/node' },
    ],
    scratch: ['/work/out'],
    masked: [`${TREE}/.git`, `${TREE}/.husky`],
    cwd: TREE,
    environment: { PATH: '/usr/bin:/bin' },
    limits: { ...LIMITS, wallMs },
  };
}

/** The same program, with the machine's own root, network and environment. */
function isCaught({ script }: Attempt, world: World): boolean {
  const text = script(world.outside);
  const program = text.startsWith('//') ? [process.execPath, '-e', text] : ['/bin/sh', '-c', text];
  const args = ['--dev-bind', '/', '/', '--chdir', world.tree, '--', ...program];
  const { stdout } = spawnSync('bwrap', args, {
    encoding: 'utf8',
    timeout: WALL_MS,
    env: { ...process.env, HONE_CANARY: CANARY },
  });
  const shown = { stdout: Buffer.from(stdout), stderr: Buffer.alloc(0), ended: 'exited' };
  return world.traces(shown as SandboxResult) !== undefined || stdout.includes(CANARY);
}

interface World extends AsyncDisposable {
  readonly outside: Outside;
  readonly tree: string;
  /** What of it was reached or changed, in words; undefined if nothing was. */
  traces(result: Pick<SandboxResult, 'stdout' | 'stderr'>): string | undefined;
}

async function makeOutside(): Promise<World> {
  process.env['HONE_CANARY'] = CANARY;
  // A sandbox has a /tmp of its own, so what is in the machine's must not be seen there.
  const folder = mkdtempSync('/tmp/hone-outside-');
  writeFileSync(join(folder, 'secret'), CANARY, { mode: 0o600 });
  const tree = makeTree();
  const victim = spawn('sleep', ['600'], { stdio: 'ignore', env: { HONE_CANARY: CANARY } });
  let isDead = false;
  let reached = 0;
  victim.once('exit', () => {
    isDead = true;
  });
  const answer = () =>
    createServer((socket) => {
      reached += 1;
      socket.on('error', () => {});
      socket.end(CANARY);
    });
  const abstractSocket = `hone-chaos-${process.pid}`;
  const servers = [answer(), answer(), answer()] as const;
  const path = join(folder, 'socket');
  await listening((done) => servers[0].listen(0, '127.0.0.1', done));
  await listening((done) => servers[1].listen(path, done));
  await listening((done) => servers[2].listen(`\0${abstractSocket}`, done));
  const udp = createSocket('udp4').on('message', () => {
    reached += 1;
  });
  await listening((done) => udp.bind(0, '127.0.0.1', done));
  chmodSync(path, 0o777);
  const before = seen(tree, folder);
  return {
    tree,
    outside: {
      folder,
      tcpPort: (servers[0].address() as { port: number }).port,
      udpPort: udp.address().port,
      socket: path,
      abstractSocket,
      victimPid: victim.pid!,
      parentPid: process.pid,
    },
    traces: ({ stdout, stderr }) => {
      if (`${stdout}${stderr}`.includes(CANARY)) return 'it shows the canary';
      if (/\b(?:resolved|typed)\b/.test(stdout.toString())) return 'it says that it got through';
      if (reached > 0) {
        reached = 0;
        return 'a server was reached';
      }
      if (isDead) return 'the other process was killed';
      if (seen(tree, folder) !== before) return 'something outside was changed';
      if (leftOver()) return 'a process of it is still there';
      return undefined;
    },
    [Symbol.asyncDispose]: async () => {
      victim.kill('SIGKILL');
      for (const server of servers) server.close();
      udp.close();
      for (const one of [folder, tree]) rmSync(one, { recursive: true, force: true });
      delete process.env['HONE_CANARY'];
    },
  };
}

/** Where the one that runs in the sandbox may read it, and nobody else. */
function makeTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'hone-tree-'));
  mkdirSync(join(tree, '.git', 'hooks'), { recursive: true });
  writeFileSync(join(tree, '.git', 'config'), CANARY);
  writeFileSync(join(tree, 'settings.yaml'), 'timeout_ms: 800\n');
  const own = (path: string): void => {
    if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534);
  };
  for (const path of ['', '.git', '.git/hooks', '.git/config', 'settings.yaml'])
    own(join(tree, path));
  return tree;
}

/** Everything that could have been changed, as one text. */
function seen(tree: string, folder: string): string {
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' }).sort();
  const outside = readdirSync(folder).sort();
  const settings = readFileSync(join(tree, 'settings.yaml'), 'utf8');
  return JSON.stringify([files, outside, settings, existsSync(join(tree, '.husky'))]);
}

/** The sleeps of the attempts have numbers that no other program has. */
function leftOver(): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return /^sleep 471[123] $/.test(
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      );
    } catch {
      return false;
    }
  });
}

function listening(begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => begin(resolve));
}
