/** `hone hooks`: puts the hooks into a client's settings, and takes them out. */
import { digestOfBytes } from '../base/index.ts';
import type { HooksInstalled, HooksOff } from '../contracts/hooks.ts';
import { HOOK_CLIENTS, type HookClient } from '../facts/index.ts';
import { hooksPlan } from '../gateway/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withOpened } from './context.ts';
import { hookCommand } from './hook-command.ts';
import { isTakenAway, lookAtHooks, placeOf } from './hook-records.ts';
import {
  lineDiff,
  ourCommand,
  readSettings,
  settingsFile,
  settingsText,
  withHooks,
  withoutHooks,
  writeSettings,
} from './hook-settings.ts';
import type { Refusal } from './refusal.ts';
import { criticalNotice, sendNow } from './tell-operators.ts';

/** `hone`: the program and its first arguments. Shows what would be written; writes it where that is wanted. */
export function installHooks(
  context: AppContext,
  client: HookClient,
  { hone, write }: { readonly hone: readonly string[]; readonly write: boolean },
): Promise<HooksInstalled | Refusal> {
  return withOpened(context, async (opened): Promise<HooksInstalled | Refusal> => {
    const file = settingsFile(opened.home.root, client);
    const before = readSettings(file);
    if (before === undefined) {
      return {
        refused: `${file} is not plain JSON, so Hone does not change it. Add the hooks by hand: docs/guides/govern-agents.md.`,
      };
    }
    const command = hookCommand(hone, opened.home, context.environment);
    const after = settingsText(withHooks(before.settings, client, `${command} hook ${client}`));
    const { mode } = await opened.switches.read('hooks');
    if (write) {
      writeSettings(file, after);
      const actor = await context.actor(opened.config.identity.agents);
      const fileDigest = digestOfBytes(Buffer.from(after));
      const data = { client, place: placeOf(opened), mode, fileDigest };
      const nowMs = await opened.store.nowMs();
      const installed = { type: 'gateway.hooks_installed', data } as const;
      await opened.store.commit(hooksPlan([installed], { actor, nowMs }));
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
  removed: readonly HookClient[],
  reason: string,
): Promise<boolean> {
  return withOpened(context, async (opened) => {
    const who = await authorise(context, opened, { action: 'remove_hooks' });
    const byOperator = !('refused' in who);
    const actor = byOperator ? who.actor : await context.actor(opened.config.identity.agents);
    const reasonText = recordedText(reason);
    // An operator also says of hooks that somebody else took away that they stay away.
    const gone = byOperator ? (await lookAtHooks(context, opened)).filter(isTakenAway) : [];
    const clients = [...new Set([...removed, ...gone.map(({ client }) => client)])];
    if (clients.length === 0) return false;
    const effects = byOperator
      ? []
      : criticalNotice(opened, {
          key: `hooks/off/${context.newId('off')}`,
          title: `The hooks of ${clients.join(' and ')} were removed by ${actor.id}, without an operator’s token`,
          text: `${reasonText} Calls of those agents are no longer judged, and their tasks stop at verify. "hone hooks install" puts the hooks back.`,
        });
    const place = placeOf(opened);
    const plan = hooksPlan(
      clients.map((client) => ({
        type: 'gateway.hooks_removed',
        data: { client, place, reason: reasonText, byOperator },
      })),
      { actor, nowMs: await opened.store.nowMs() },
    );
    const { committed } = await opened.store.commit({ ...plan, effects });
    if (effects.length > 0) await sendNow(context, opened);
    return committed;
  });
}
