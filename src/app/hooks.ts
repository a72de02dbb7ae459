/** `hone hooks`: puts the hooks into a client's settings, takes them out, and proves that they deny. */
import { spawnSync } from 'node:child_process';
import { digestOfBytes } from '../base/index.ts';
import {
  HOOK_CLIENTS,
  type HooksInstalled,
  type HooksOff,
  type HooksProbed,
} from '../contracts/hooks.ts';
import { recordedText } from '../sanitise/index.ts';
import { type AppContext, withOpened } from './context.ts';
import {
  type HookClient,
  lineDiff,
  ourCommand,
  readSettings,
  settingsFile,
  settingsText,
  withHooks,
  withoutHooks,
  writeSettings,
} from './hook-settings.ts';
import { operatorOf } from './operator-only.ts';
import type { Refusal } from './refusal.ts';
import { criticalNotice, sendNow } from './tell-operators.ts';

/** `command`: how the client starts Hone. Shows what would be written; writes it where that is wanted. */
export function installHooks(
  context: AppContext,
  client: HookClient,
  { command, write }: { readonly command: string; readonly write: boolean },
): Promise<HooksInstalled | Refusal> {
  return withOpened(context, async (opened): Promise<HooksInstalled | Refusal> => {
    const file = settingsFile(opened.home.root, client);
    const before = readSettings(file);
    if (before === undefined) {
      return {
        refused: `${file} is not plain JSON, so Hone does not change it. Add the hooks by hand: docs/guides/govern-agents.md.`,
      };
    }
    const after = settingsText(withHooks(before.settings, client, `${command} hook ${client}`));
    const { mode } = await opened.switches.read('hooks');
    if (write) {
      writeSettings(file, after);
      const actor = await context.actor(opened.config.identity.agents);
      const data = { client, mode, fileDigest: digestOfBytes(Buffer.from(after)) };
      await opened.store.commit({
        entries: [{ type: 'gateway.hooks_installed', actor, subject: `hooks:${client}`, data }],
      });
    }
    return { client, file, diff: lineDiff(before.text, after), written: write, mode };
  });
}

/** Always works, also without a store and for anybody; recorded, and without an operator's token told to all. */
export async function hooksOff(context: AppContext, reason: string): Promise<HooksOff> {
  const { root } = context.home();
  const files: string[] = [];
  const clients: HookClient[] = [];
  for (const client of HOOK_CLIENTS) {
    const file = settingsFile(root, client);
    const before = readSettings(file);
    if (before === undefined || ourCommand(before.settings, client) === undefined) continue;
    writeSettings(file, settingsText(withoutHooks(before.settings, client)));
    files.push(file);
    clients.push(client);
  }
  const recorded = await recordOff(context, clients, reason).catch(() => false);
  return { files, recorded };
}

function recordOff(
  context: AppContext,
  clients: readonly HookClient[],
  reason: string,
): Promise<boolean> {
  return withOpened(context, async (opened) => {
    const who = await operatorOf(context, opened);
    const isOperator = !('refused' in who);
    const actor = isOperator ? who.actor : await context.actor(opened.config.identity.agents);
    const text = recordedText(reason);
    const effects = isOperator
      ? []
      : criticalNotice(opened, {
          key: `hooks/off/${context.newId('off')}`,
          title: `The hooks of ${clients.join(' and ')} were removed by ${actor.id}, without an operator’s token`,
          text: `${text} Calls of those agents are no longer judged. "hone hooks install" puts the hooks back.`,
        });
    const { committed } = await opened.store.commit({
      entries: clients.map((client) => ({
        type: 'gateway.hooks_removed',
        actor,
        subject: `hooks:${client}`,
        data: { client, reason: text },
      })),
      effects,
    });
    if (effects.length > 0) await sendNow(context, opened);
    return committed;
  });
}

/**
 * Runs the very command that the client's settings name, as the client would: with a call that must be denied and one
 * that must pass. That the client honours the answer is not proven by it, and the answer says so.
 */
export function probeHooks(context: AppContext): Promise<HooksProbed> {
  return withOpened(context, async (opened) => {
    const { mode } = await opened.switches.read('hooks');
    const probes = HOOK_CLIENTS.map((client) => ({
      client,
      ...probeClient(opened.home.root, client, { mode, environment: context.environment }),
    }));
    const actor = await context.actor(opened.config.identity.agents);
    const tried = probes.filter(({ verdict }) => verdict !== 'not installed');
    if (tried.length > 0) {
      await opened.store.commit({
        entries: tried.map(({ client, verdict, why }) => ({
          type: 'gateway.hooks_probed',
          actor,
          subject: `hooks:${client}`,
          data: { client, verdict: verdict.replace(' ', '-'), why: recordedText(why) },
        })),
      });
    }
    return { probes };
  });
}

type Probe = Pick<HooksProbed['probes'][number], 'verdict' | 'why'>;
const PROBE_MS = 30_000;

function probeClient(
  root: string,
  client: HookClient,
  { mode, environment }: { mode: string; environment: AppContext['environment'] },
): Probe {
  const read = readSettings(settingsFile(root, client));
  const handler = read === undefined ? undefined : ourCommand(read.settings, client);
  if (handler?.command === undefined) {
    return { verdict: 'not installed', why: `"hone hooks install ${client}" installs it.` };
  }
  const not = (why: string): Probe => ({ verdict: 'not proven', why });
  const run = (tool_name: string, tool_input: object) =>
    spawnSync('/bin/sh', ['-c', handler.command!], {
      cwd: root,
      env: { ...environment } as NodeJS.ProcessEnv,
      timeout: PROBE_MS,
      encoding: 'utf8',
      input: JSON.stringify({
        session_id: 'hone-probe',
        transcript_path: '',
        cwd: root,
        hook_event_name: 'PreToolUse',
        tool_name,
        tool_input,
      }),
    });
  const denied = run('Bash', { command: 'rm -rf / --no-preserve-root' });
  if (mode !== 'enforce') {
    return not(`It only observes (mode ${mode}). "hone switch set hooks enforce" makes it deny.`);
  }
  if (denied.status !== 2 || denied.stderr.trim() === '') {
    return not(
      `A call that must be denied was not: the command ended with ${denied.status ?? denied.signal}.`,
    );
  }
  const passed = run(client === 'codex' ? 'mcp__hone__resources.read' : 'Read', {
    file_path: 'README.md',
  });
  if (passed.status !== 0) return not('A call that must pass did not.');
  if (client === 'codex') {
    return not(
      'The command denies, but Codex lets a call pass when its hook fails: it can only observe. Put its servers behind "hone mcp gateway".',
    );
  }
  if (handler['onFailure'] !== 'block') {
    return not(
      'The command denies, but a crash or a timeout of it lets a call pass: its settings lack "onFailure": "block".',
    );
  }
  return {
    verdict: 'proven',
    why: 'The configured command denies what must be denied. That the client honours it (2.1.295 or newer) is its own to prove.',
  };
}
