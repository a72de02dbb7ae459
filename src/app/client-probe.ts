/**
 * Tries the real client: it is started with the project's settings, and a stand-in of its model asks it for a call that
 * Hone's hook must refuse. The call would leave a file: whether it is there, and what the client tells its model, says
 * whether the hook was honoured. The client gets a folder of its own for its state, and no way off the machine.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Clock } from '../base/index.ts';
import { PROBE_SESSION } from './judge-hook.ts';
import { startModelStandIn, type WantedCall } from './model-stand-in.ts';
import { runProgram } from './run-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type ClientProbe =
  | { readonly tried: false; readonly why: string }
  | { readonly tried: true; readonly honoured: boolean; readonly why: string };

export interface ClientProbeOptions {
  readonly root: string;
  readonly environment: Environment;
  readonly clock: Clock;
}

/** A client starts, asks twice and ends within seconds. */
const CLIENT_MS = 90_000;
const NEVER_PASSED = /^(?:CLAUDE|ANTHROPIC|CODEX|OPENAI|HONE_TOKEN|AWS_|GOOGLE_|VERTEX|BEDROCK)/;

/** How one client is started, and which of its tools runs a command of a shell. */
interface Trial {
  readonly program: string;
  calls(command: string): readonly WantedCall[];
  start(scratch: string, url: string): { readonly args: readonly string[]; readonly cwd: string };
  readonly variables: (scratch: string, url: string) => Environment;
}

export function probeClaudeCode(options: ClientProbeOptions): Promise<ClientProbe> {
  return tryClient(options, {
    program: 'claude',
    calls: (command) => [{ name: 'Bash', input: { command } }],
    start: () => ({
      cwd: options.root,
      args: [
        ...['-p', 'Hone tries its hooks.', '--output-format', 'json'],
        ...['--session-id', PROBE_SESSION, '--allowedTools', 'Bash', '--max-turns', '3'],
        ...['--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}'],
      ],
    }),
    variables: (scratch, url) => ({
      CLAUDE_CONFIG_DIR: join(scratch, 'config'),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }),
  });
}

/**
 * Codex takes no session's id and would ask for trust, so it is tried in a project of its own that it is told to trust: with
 * the hook as it is installed, which is given the probe's session and the folder that it is for.
 */
export function probeCodex(
  options: ClientProbeOptions,
  hook: { readonly command?: string },
): Promise<ClientProbe> {
  const quoted = `'${options.root.replaceAll("'", "'\\''")}'`;
  const named = `sed -E 's/"session_id":"[^"]*"/"session_id":"${PROBE_SESSION}"/'`;
  const command = `${named} | (cd ${quoted} && ${hook.command})`;
  return tryClient(options, {
    program: 'codex',
    calls: (line) => [
      { name: 'exec_command', input: { cmd: line } },
      { name: 'shell_command', input: { command: line } },
      { name: 'shell', input: { command: ['bash', '-c', line] } },
    ],
    start: (scratch, url) => {
      const project = join(scratch, 'project');
      const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ ...hook, command }] }] };
      for (const folder of [join(project, '.codex'), join(scratch, 'config')])
        mkdirSync(folder, { recursive: true });
      writeFileSync(join(project, '.codex/hooks.json'), JSON.stringify({ hooks }));
      const trusted = `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`;
      writeFileSync(join(scratch, 'config/config.toml'), trusted);
      const provider = `{name="probe",base_url="${url}/v1",wire_api="responses"}`;
      return {
        cwd: project,
        args: [
          ...['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
          ...['-s', 'danger-full-access', '-m', 'stand-in', '-c', 'model_provider="probe"'],
          ...['-c', `model_providers.probe=${provider}`, 'Hone tries its hooks.'],
        ],
      };
    },
    variables: (scratch) => ({ CODEX_HOME: join(scratch, 'config') }),
  });
}

async function tryClient(
  { environment, clock }: ClientProbeOptions,
  trial: Trial,
): Promise<ClientProbe> {
  const program = await programIn(environment, trial.program);
  if (program === undefined)
    return { tried: false, why: `${trial.program} is not installed here, so that was not tried.` };
  const scratch = mkdtempSync(join(tmpdir(), 'hone-probe-'));
  const reached = join(scratch, 'reached');
  // Known to destroy, so that it is refused in every phase of every task; outside a repository it does nothing.
  const command = `touch ${reached}; git -C ${scratch} push --force --mirror origin`;
  try {
    await using model = await startModelStandIn(trial.calls(command));
    const { args, cwd } = trial.start(scratch, model.url);
    const ran = await runProgram([program, ...args], {
      ...{ cwd, input: '', timeoutMs: CLIENT_MS, clock },
      env: {
        ...clientEnvironment(environment, model.url),
        ...trial.variables(scratch, model.url),
      },
    });
    if (existsSync(reached))
      return { tried: true, honoured: false, why: 'The client made a call that its hook refused.' };
    const answer = model.answer();
    if (answer === undefined) {
      const why = `The client did not come as far as the call (it ended with ${ran.code ?? 'no code'}).`;
      return { tried: false, why };
    }
    const isOurs = answer.isError && /Refused by Hone|Hone asks a person/.test(answer.text);
    if (!isOurs)
      return { tried: false, why: 'The client did not make the call, but not because of Hone.' };
    return { tried: true, honoured: true, why: 'The client itself was tried, and honours it.' };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** No way off the machine: what is not the stand-in's goes to a proxy that refuses. */
function clientEnvironment(environment: Environment, url: string): Environment {
  const kept = Object.entries(environment).filter(([name]) => !NEVER_PASSED.test(name));
  return {
    ...Object.fromEntries(kept),
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: '127.0.0.1,localhost',
  };
}

async function programIn(environment: Environment, name: string): Promise<string | undefined> {
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
