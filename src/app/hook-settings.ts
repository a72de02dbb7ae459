/**
 * Where Claude Code and Codex keep their hooks, and Hone's own among them. What others put there stays as it is; a file
 * that is not plain JSON is not touched.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookClient } from '../facts/index.ts';
import { foreignCode } from '../gateway/at-start.ts';

export interface Handler {
  readonly type: string;
  readonly command?: string;
  readonly [key: string]: unknown;
}
interface Matcher {
  readonly matcher?: string;
  readonly hooks?: readonly Handler[];
}
interface Settings {
  readonly hooks?: Readonly<Record<string, readonly Matcher[]>>;
  readonly [key: string]: unknown;
}

/** Of the project: shared by everybody who works in it. */
const SETTINGS_FILES: Readonly<Record<HookClient, string>> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
};

const EVENTS = ['PreToolUse', 'PostToolUse', 'Stop'] as const;
/** Of seconds: far longer than the hook takes; the clients' own is ten minutes. */
const TIMEOUT_S = 30;

export const settingsFile = (root: string, client: HookClient): string =>
  join(root, SETTINGS_FILES[client]);

/** Undefined where it is no plain JSON object. */
export function readSettings(file: string): { text: string; settings: Settings } | undefined {
  if (!existsSync(file)) return { text: '', settings: {} };
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return { text, settings: value as Settings };
  } catch {
    return undefined;
  }
}

export function withHooks(settings: Settings, client: HookClient, command: string): Settings {
  const cleared = withoutHooks(settings, client);
  const handler: Handler = {
    type: 'command',
    command,
    timeout: TIMEOUT_S,
    // Claude Code from 2.1.295 on refuses a call whose hook fails; Codex has no such key.
    ...(client === 'claude-code' ? { onFailure: 'block' } : {}),
  };
  const hooks: Record<string, readonly Matcher[]> = { ...cleared.hooks };
  for (const event of EVENTS) {
    const matcher = event === 'Stop' ? {} : { matcher: '*' };
    hooks[event] = [...(hooks[event] ?? []), { ...matcher, hooks: [handler] }];
  }
  return { ...cleared, hooks };
}

/** The same without Hone's own; what is left empty goes. */
export function withoutHooks(settings: Settings, client: HookClient): Settings {
  if (settings.hooks === undefined) return settings;
  const kept = Object.entries(settings.hooks).flatMap(([event, matchers]) => {
    const rest = matchers.flatMap((one) => {
      const hooks = (one.hooks ?? []).filter((handler) => !isOurs(handler, client));
      if (hooks.length === (one.hooks ?? []).length) return [one];
      return hooks.length === 0 ? [] : [{ ...one, hooks }];
    });
    return rest.length === 0 ? [] : [[event, rest] as const];
  });
  const { hooks: _, ...others } = settings;
  return kept.length === 0 ? others : { ...others, hooks: Object.fromEntries(kept) };
}

/** The command that the client runs before a call; undefined where none of it is Hone's. */
export function ourCommand(settings: Settings, client: HookClient): Handler | undefined {
  const matchers = settings.hooks?.['PreToolUse'] ?? [];
  const wide = matchers.filter(
    ({ matcher }) => matcher === undefined || matcher === '' || matcher === '*',
  );
  return wide.flatMap(({ hooks }) => hooks ?? []).find((handler) => isOurs(handler, client));
}

/** One plain command: behind `;` or `#` the words would say nothing about what runs. */
const isOurs = ({ command }: Handler, client: HookClient) =>
  typeof command === 'string' &&
  command.endsWith(` hook ${client}`) &&
  !/[;&|<>#`$\n]/.test(command.replaceAll(/'[^']*'/g, ''));

export type Standing =
  | { readonly handler: Handler }
  /** One plain sentence. */
  | { readonly missing: string };

/**
 * Whether the client would run the hook: its settings name it, and none that it reads switches all hooks off
 * (`disableAllHooks`, in the project's, the user's or the machine's own part of Claude Code's settings).
 */
export function standingHook(
  root: string,
  client: HookClient,
  environment: Readonly<Record<string, string | undefined>>,
): Standing {
  const file = settingsFile(root, client);
  const handler = commandIn(file, client);
  if (handler === undefined) return { missing: `${file} does not name them.` };
  if (client !== 'claude-code') return { handler };
  const { CLAUDE_CONFIG_DIR: folder, HOME: home = '' } = environment;
  const readToo = [
    join(root, '.claude/settings.local.json'),
    join(folder ?? join(home, '.claude'), 'settings.json'),
  ];
  for (const one of [file, ...readToo]) {
    const { settings } = readSettings(one) ?? {};
    if (settings?.['disableAllHooks'] === true)
      return { missing: `${one} switches all hooks off (disableAllHooks).` };
    const loads = foreignCode(variablesOf(settings));
    if (loads !== undefined)
      return {
        missing: `${one} sets ${loads}, which loads other code into what the client starts.`,
      };
  }
  return { handler };
}

/** What the client's settings put into the environment of all that it starts. */
function variablesOf(settings: Settings | undefined): Record<string, string> {
  const given = settings?.['env'];
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

const commandIn = (file: string, client: HookClient): Handler | undefined => {
  const read = readSettings(file);
  const handler = read === undefined ? undefined : ourCommand(read.settings, client);
  return handler?.command === undefined ? undefined : handler;
};

export const settingsText = (settings: Settings): string =>
  `${JSON.stringify(settings, null, 2)}\n`;

export function writeSettings(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Lines that are only in one of the two, in order; enough to see what is added to a settings file. */
export function lineDiff(before: string, after: string): string {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < old.length && from < next.length && old[from] === next[from]) from++;
  let end = 0;
  while (
    end < Math.min(old.length, next.length) - from &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  )
    end++;
  const lines = (all: readonly string[], sign: string) =>
    all.slice(from, all.length - end).map((line) => `${sign}${line}\n`);
  return [...lines(old, '-'), ...lines(next, '+')].join('');
}
