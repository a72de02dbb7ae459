/**
 * Tries the real client: it is started in the repository with its own project settings, and a stand-in of its model asks it
 * for a call that Hone's hook must refuse. The call would leave a file: whether it is there, and what the client tells its
 * model, says whether the hook was honoured. The client gets a folder of its own for its state, and no way off the machine.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Clock } from '../base/index.ts';
import { PROBE_SESSION } from './judge-hook.ts';
import { startModelStandIn } from './model-stand-in.ts';
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
const NEVER_PASSED = /^(?:CLAUDE|ANTHROPIC|HONE_TOKEN|AWS_|GOOGLE_|VERTEX|BEDROCK)/;

export async function probeClaudeCode(options: ClientProbeOptions): Promise<ClientProbe> {
  const { root, environment, clock } = options;
  const program = await programIn(environment, 'claude');
  if (program === undefined)
    return { tried: false, why: 'claude is not installed here, so that was not tried.' };
  const scratch = mkdtempSync(join(tmpdir(), 'hone-probe-'));
  const reached = join(scratch, 'reached');
  // Known to destroy, so that it is refused in every phase of every task; outside a repository it does nothing.
  const command = `touch ${reached}; git -C ${scratch} push --force --mirror origin`;
  try {
    await using model = await startModelStandIn({ name: 'Bash', input: { command } });
    const ran = await runProgram(
      [
        ...[program, '-p', 'Hone tries its hooks.', '--output-format', 'json'],
        ...['--session-id', PROBE_SESSION, '--allowedTools', 'Bash', '--max-turns', '3'],
        ...['--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}'],
      ],
      {
        ...{ cwd: root, input: '', timeoutMs: CLIENT_MS, clock },
        env: clientEnvironment(environment, { url: model.url, scratch }),
      },
    );
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

function clientEnvironment(
  environment: Environment,
  { url, scratch }: { readonly url: string; readonly scratch: string },
): Environment {
  const kept = Object.entries(environment).filter(([name]) => !NEVER_PASSED.test(name));
  return {
    ...Object.fromEntries(kept),
    CLAUDE_CONFIG_DIR: join(scratch, 'config'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
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
