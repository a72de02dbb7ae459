/**
 * Contracts for the tools that Claude Code and Codex have themselves, as their documentation describes them. They
 * apply to the hooks' servers `claude-code` and `codex` where hone.yaml says nothing. A shell may do anything, so it
 * may send.
 */
import type { ToolRisk } from '../facts/index.ts';
import type { ArgumentLimit, Contract, Sending } from './types.ts';

export const ARGUMENTS_MAX = 256 * 1024;
export const OUTPUT_MAX = 4 * 1024 * 1024;

function tools(
  server: string,
  names: readonly string[],
  terms: { risk: ToolRisk; sends: Sending; arguments?: Readonly<Record<string, ArgumentLimit>> },
): Contract[] {
  return names.map((name) => ({
    tool: `${server}/${name}`,
    maxArguments: ARGUMENTS_MAX,
    maxOutput: OUTPUT_MAX,
    redact: [],
    arguments: {},
    ...terms,
  }));
}

const shell = { risk: 'medium', sends: 'maybe' } as const;

export const SHIPPED_CONTRACTS: readonly Contract[] = [
  // By the protocol they only read; what they are given goes to the server.
  ...tools('*', ['resources.read', 'resources.subscribe', 'prompts.get', 'completion.complete'], {
    risk: 'read_only',
    sends: 'maybe',
  }),
  ...tools(
    'claude-code',
    [
      'Read',
      'Glob',
      'Grep',
      'LS',
      'NotebookRead',
      'TodoWrite',
      'TodoRead',
      'BashOutput',
      'ToolSearch',
    ],
    { risk: 'read_only', sends: 'never' },
  ),
  ...tools('claude-code', ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'], {
    risk: 'low',
    sends: 'never',
  }),
  ...tools('claude-code', ['WebFetch', 'WebSearch'], { risk: 'low', sends: 'always' }),
  ...tools(
    'claude-code',
    ['Task', 'Agent', 'Skill', 'KillShell', 'KillBash', 'ExitPlanMode', 'AskUserQuestion'],
    {
      risk: 'low',
      sends: 'never',
    },
  ),
  ...tools('claude-code', ['Bash', 'PowerShell'], shell),
  ...tools('codex', ['Bash', 'shell'], shell),
  ...tools('codex', ['apply_patch'], { risk: 'low', sends: 'never' }),
  ...tools('codex', ['spawn_agent', 'update_plan', 'view_image'], { risk: 'low', sends: 'never' }),
];
