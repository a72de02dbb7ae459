/**
 * Ways around the real thing: `hone mcp gateway` and `hone hook` as processes of an installation that enforces, in front of a
 * real server. An agent has no task, so that nothing it writes may reach the server; every call that a client makes without its
 * hook, or against it, has to be found afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expectDone } from '../../lab/installation.ts';
import { AS_IT_WAS } from '../../lab/small-repository.ts';
import { openWorkPlace, type WorkPlace } from '../../lab/work-place.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const HONE = at('../../src/main.ts');
const SERVER = at('../../lab/servers/files-server.ts');

type Variables = Readonly<Record<string, string>>;

/** Far longer than a call takes; what is not answered then did not pass. */
const LIMIT_MS = 60_000;

interface Gateway extends AsyncDisposable {
  /** Whether it was answered, and not with a refusal. */
  call(tool: string, given: object): Promise<boolean>;
  /** Writes a call and waits for nothing. */
  say(tool: string, given: object): void;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface RealWorld extends Disposable {
  readonly place: WorkPlace;
  gateway(more?: Variables): Promise<Gateway>;
  /** The exit code of a hook; null where it was killed. */
  hook(
    event: object,
    how?: { readonly killed?: boolean; readonly env?: Variables },
  ): Promise<number | null>;
  /** The exit code of the command that is installed in the client's settings, started as the client does. */
  installedHook(event: object, env: Variables): Promise<number | null>;
  /** The gate lets everything pass from now on. */
  switchOff(): Promise<void>;
  /** Whether the server wrote what nobody may write. */
  reached(): boolean;
  /** Calls without a decision that are on record for the session. */
  found(session: string): Promise<number>;
  /** A program of this name that comes first in the PATH it returns. */
  program(name: string, text: string): string;
}

export const WRITE = ['write_file', { path: 'reached', content: 'x' }] as const;

export async function openRealWorld(): Promise<RealWorld> {
  const place = await openWorkPlace(AS_IT_WAS, {});
  const env = (more: Variables) => ({ ...place.environment, ...more });
  let installed: Promise<string> | undefined;
  return {
    place,
    gateway: (more = {}) => startGateway(place, env(more)),
    hook: (event, { killed = false, env: more = {} } = {}) =>
      runHook(place, event, { killed, env: env(more) }),
    installedHook: async (event, more) => {
      installed ??= installHook(place);
      return ended(
        spawn('/bin/sh', ['-c', await installed], {
          ...{ cwd: place.root, env: env(more), stdio: ['pipe', 'ignore', 'ignore'] },
        }),
        { cwd: place.root, transcript_path: '', ...event },
      );
    },
    switchOff: async () => {
      const proof = { HONE_TOKEN: place.operatorSecret };
      const off = ['switch', 'set', 'gateway', 'off', '--reason', 'the control'];
      expectDone(await place.honeWith(proof, ...off));
    },
    reached: () => existsSync(join(place.root, 'reached')),
    found: async (session) => {
      const show = ['ledger', 'show', '--subject', `session:${session}`, '--json'];
      return (await place.hone(...show)).out.match(/"gateway\.undecided"/g)?.length ?? 0;
    },
    program: (name, text) => {
      const file = place.beside(join('bin', name), `#!/bin/sh\n${text}\n`);
      chmodSync(file, 0o755);
      return `${dirname(file)}:${place.environment['PATH']}`;
    },
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}

async function startGateway(place: WorkPlace, env: Variables): Promise<Gateway> {
  const child = spawn(
    process.execPath,
    [HONE, 'mcp', 'gateway', '--name', 'files', '--', process.execPath, SERVER, place.root],
    { cwd: place.root, env, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const gone = once(child, 'exit').then(() => undefined);
  child.stdin.on('error', () => {});
  const waiting = new Map<number, (answer: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.get((JSON.parse(line) as { id: number }).id)?.(line);
  });
  let id = 0;
  const write = (method: string, params: object) => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  };
  const ask = async (method: string, params: object) => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    waiting.set(write(method, params), resolve);
    const timer = setTimeout(resolve, LIMIT_MS, undefined);
    const answer = await Promise.race([promise, gone]);
    clearTimeout(timer);
    return answer;
  };
  await ask('initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
  return {
    call: async (name, given) => {
      const answer = await ask('tools/call', { name, arguments: given });
      return answer !== undefined && !/"isError":true|"error":/.test(answer);
    },
    say: (name, given) => void write('tools/call', { name, arguments: given }),
    kill: async (signal) => {
      child.kill(signal);
      await gone;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await gone;
    },
  };
}

async function runHook(
  place: WorkPlace,
  event: object,
  { killed, env }: { readonly killed: boolean; readonly env: Variables },
): Promise<number | null> {
  const child = spawn(process.execPath, [HONE, 'hook', 'claude-code'], {
    ...{ cwd: place.root, env, stdio: ['pipe', 'ignore', 'ignore'] },
  });
  if (killed) child.kill('SIGKILL');
  return ended(child, { cwd: place.root, transcript_path: '', ...event });
}

async function ended(child: ChildProcess, event: object): Promise<number | null> {
  const exit = once(child, 'exit');
  child.stdin!.on('error', () => {});
  child.stdin!.end(JSON.stringify(event));
  const [code] = await exit;
  return code as number | null;
}

/** The command that a person's `hone hooks install` puts into the settings of Claude Code. */
async function installHook(place: WorkPlace): Promise<string> {
  expectDone(await place.hone('hooks', 'install', 'claude-code', '--write'));
  const file = join(place.root, '.claude/settings.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  // In this process the lab is the program; a person's is Hone.
  return hooks['PreToolUse']![0]!.hooks[0]!.command.replace(process.argv[1]!, HONE);
}

export interface RealAttempt {
  readonly name: string;
  run(world: RealWorld): Promise<void>;
}

/** What the client's environment says; a hook that lets the call pass stands for the call. */
const hookWith = (name: string, more: (world: RealWorld) => Variables): RealAttempt => ({
  name,
  run: async (world) => {
    const event = call(`env-${name.replaceAll(/\W+/g, '-')}`, 'PreToolUse', 'a');
    if ((await world.installedHook(event, more(world))) === 0)
      writeFileSync(join(world.place.root, 'reached'), 'x');
  },
});

const withVariables = (name: string, more: (world: RealWorld) => Variables): RealAttempt => ({
  name,
  run: async (world) => {
    await using gateway = await world.gateway(more(world));
    await gateway.call(...WRITE);
  },
});

/** Nothing of these may reach the server. */
export const REAL_ATTEMPTS: readonly RealAttempt[] = [
  withVariables('a call without a task', () => ({})),
  withVariables('variables that sound like switches', () => ({
    ...{ HONE_GATEWAY: 'off', HONE_MODE: 'observe', HONE_ENFORCE: '0', HONE_TASK: 'task_1' },
    ...{ HONE_TOKEN: 'hone_0000', NODE_ENV: 'test', CI: 'true', DEBUG: '*' },
  })),
  withVariables('another program for node, git and hone in the PATH', (world) => {
    for (const name of ['node', 'hone', 'git']) world.program(name, 'exit 0');
    return { PATH: world.program('sh', 'exit 0') };
  }),
  withVariables('a state folder of somebody else', (world) => ({
    XDG_STATE_HOME: join(dirname(world.place.root), 'elsewhere'),
  })),
  withVariables('a home of somebody else', (world) => ({
    HOME: join(dirname(world.place.root), 'elsewhere'),
    XDG_STATE_HOME: '',
  })),
  withVariables('git told to look elsewhere', () => ({
    ...{ GIT_DIR: '/nowhere', GIT_WORK_TREE: '/', GIT_CEILING_DIRECTORIES: '/' },
  })),
  withVariables('code of somebody else loaded by NODE_OPTIONS', (world) => ({
    NODE_OPTIONS: `--require ${world.place.beside('quiet.cjs', 'globalThis.there = true;')}`,
  })),
  withVariables('a library of somebody else loaded by LD_PRELOAD', () => ({
    LD_PRELOAD: '/nowhere.so',
  })),
  withVariables('modules and compiled code of somebody else', (world) => ({
    NODE_PATH: dirname(world.place.root),
    NODE_COMPILE_CACHE: join(dirname(world.place.root), 'compiled'),
  })),
  hookWith('a hook ended by code that NODE_OPTIONS loads', (world) => ({
    NODE_OPTIONS: `--require ${world.place.beside('exits.cjs', 'process.exit(0);')}`,
  })),
  hookWith('a hook with a library loaded by LD_PRELOAD', () => ({ LD_PRELOAD: '/nowhere.so' })),
  hookWith('a hook with a home and a state folder of somebody else', (world) => ({
    ...{ XDG_STATE_HOME: join(dirname(world.place.root), 'elsewhere') },
    HOME: join(dirname(world.place.root), 'elsewhere'),
  })),
  hookWith('a hook with other programs in the PATH', (world) => {
    for (const name of ['node', 'hone', 'git', 'env']) world.program(name, 'exit 0');
    return { PATH: world.program('sh', 'exit 0'), HONE_GATEWAY: 'off', GIT_DIR: '/nowhere' };
  }),
  {
    name: 'the gateway killed in a call',
    run: async (world) => {
      const gateway = await world.gateway();
      gateway.say(...WRITE);
      await gateway.kill('SIGKILL');
      gateway.say(...WRITE);
    },
  },
  {
    name: 'the gateway told to end in a call',
    run: async (world) => {
      const gateway = await world.gateway();
      gateway.say(...WRITE);
      await gateway.kill('SIGTERM');
    },
  },
  {
    name: 'the store taken away while it runs',
    run: async (world) => {
      await using gateway = await world.gateway();
      await gateway.call('read_file', { path: 'AGENTS.md' });
      rmSync(join(dirname(world.place.root), 'state'), { recursive: true, force: true });
      await gateway.call(...WRITE);
    },
  },
];

const call = (session: string, hook_event_name: string, id: string) => ({
  ...{ session_id: session, hook_event_name, tool_name: 'Bash', tool_use_id: id },
  ...{ tool_input: { command: 'touch reached' }, tool_response: 'ok' },
});

function transcript(world: RealWorld, session: string, ids: readonly string[]): object {
  const line = (block: object) => `${JSON.stringify({ message: { content: [block] } })}\n`;
  const text = ids.map(
    (id) =>
      line({ type: 'tool_use', id, name: 'Bash' }) + line({ type: 'tool_result', tool_use_id: id }),
  );
  const transcript_path = world.place.beside(`${session}.jsonl`, text.join(''));
  return { session_id: session, hook_event_name: 'Stop', transcript_path };
}

/** Calls that the client makes all the same; each has to be found. The name is the session's. */
export const UNASKED: readonly RealAttempt[] = [
  {
    name: 'hook-ignored',
    run: async (world) => {
      if ((await world.hook(call('hook-ignored', 'PreToolUse', 'a'))) !== 2) return;
      await world.hook(call('hook-ignored', 'PostToolUse', 'a'));
    },
  },
  {
    name: 'hook-killed',
    run: async (world) => {
      await world.hook(call('hook-killed', 'PreToolUse', 'a'), { killed: true });
      await world.hook(call('hook-killed', 'PostToolUse', 'a'));
    },
  },
  {
    name: 'hook-killed-twice',
    run: async (world) => {
      await world.hook(call('hook-killed-twice', 'PreToolUse', 'a'), { killed: true });
      await world.hook(call('hook-killed-twice', 'PostToolUse', 'a'), { killed: true });
      await world.hook(transcript(world, 'hook-killed-twice', ['a']));
    },
  },
  {
    name: 'never-asked',
    run: async (world) => {
      await world.hook(transcript(world, 'never-asked', ['a', 'b']));
    },
  },
  {
    name: 'end-of-turn-killed',
    run: async (world) => {
      await world.hook(transcript(world, 'end-of-turn-killed', ['a']), { killed: true });
      await world.hook(transcript(world, 'end-of-turn-killed', ['a']));
    },
  },
  {
    name: 'refused-and-hidden',
    run: async (world) => {
      // Told of nothing after the call: only the transcript says that it was made.
      if ((await world.hook(call('refused-and-hidden', 'PreToolUse', 'a'))) !== 2) return;
      await world.hook(transcript(world, 'refused-and-hidden', ['a']));
    },
  },
];
