/** A real repository of agents whose timeouts are too short, with telemetry that shows it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Installation, makeInstallation, type Run, runHere } from '../../test/cli.ts';
import { isoTime } from '../base/index.ts';
import { type CommitId, openRepository } from '../git/index.ts';

const BRANCH = 'refs/heads/main';
const HOUR_MS = 3_600_000;

export interface Target extends Disposable {
  readonly repository: string;
  /** As the local user, or with more in the environment, such as a token. */
  hone(...args: string[]): Promise<Run>;
  honeWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<Run>;
  append(events: string): void;
  installation: Installation;
}

/** Hone refuses to deploy to a branch that is checked out: HEAD is detached unless told otherwise. */
export async function makeTarget(
  files: Readonly<Record<string, string>>,
  { checkedOut = false } = {},
): Promise<Target> {
  const installation = makeInstallation({ inProcess: true });
  const { repository, environment } = installation;
  const commit = await commitFiles(repository, files);
  if (commit !== undefined && !checkedOut) {
    writeFileSync(join(repository, '.git', 'HEAD'), `${commit}\n`);
  }
  const honeWith = (more: Readonly<Record<string, string>>, ...args: string[]) =>
    runHere(args, repository, { environment: { ...environment, ...more } });
  const events = join(dirname(repository), 'events.jsonl');
  return {
    repository,
    installation,
    honeWith,
    hone: (...args) => honeWith({}, ...args),
    append: (text) => writeFileSync(events, text, { flag: 'a' }),
    [Symbol.dispose]: () => installation[Symbol.dispose](),
  };
}

/** What an operator writes into `hone.yaml`. */
export const SETTINGS = `observe:
  sources:
    - { name: fleet, path: ../events.jsonl }
target:
  agentFiles: ["agents/*.yaml"]
`;

export async function commitFiles(
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<CommitId | undefined> {
  const changes = Object.entries(files).map(([path, text]) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    return { path, content: Buffer.from(text) };
  });
  if (changes.length === 0) return undefined;
  await using repository = await openRepository({ root, durable: false });
  const author = { name: 'Operator', email: 'operator@example.org', atMs: Date.UTC(2026, 0, 1) };
  const tree = await repository.writeFiles(undefined, changes);
  const commit = await repository.commit({ tree, parents: [], message: 'Agents\n', author });
  await repository.moveRef(BRANCH, commit, undefined);
  return commit;
}

/** The text of a file at a branch's head. */
export async function fileAt(
  root: string,
  path: string,
  branch = BRANCH,
): Promise<string | undefined> {
  await using repository = await openRepository({ root, durable: false });
  const head = await repository.resolve(branch);
  const bytes = head === undefined ? undefined : await repository.readFile(head, path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/** Calls of one tool in the last hours; `failed` of them, evenly spread, time out at 800 ms. */
export function calls(options: {
  agent: string;
  tool: string;
  untilMs: number;
  all?: number;
  failed?: number;
  message?: string;
}): string {
  const { agent, tool, untilMs, all = 250, failed = 30 } = options;
  const every = Math.floor(all / failed);
  const lines = Array.from({ length: all }, (_, at) => {
    const isFailed = at % every === every - 1;
    return JSON.stringify({
      timestamp: isoTime(untilMs - 6 * HOUR_MS + Math.floor((at * 6 * HOUR_MS) / all)),
      session_id: `${agent}-${at}`,
      event_type: 'tool_call',
      agent,
      tool,
      success: !isFailed,
      latency_ms: isFailed ? 803 : 250 + ((at * 61) % 500),
      ...(isFailed
        ? {
            error_code: 'TIMEOUT',
            error_message: options.message ?? `${tool} timed out after 800 ms`,
          }
        : {}),
    });
  });
  return `${lines.join('\n')}\n`;
}

export function agentFile(name: string, tool: string): string {
  return `# How the ${name} works.
name: ${name}

tools:
  ${tool}:
    timeout_ms: 800 # too tight
    retries: 2

prompt: prompts/${name}.md
`;
}
