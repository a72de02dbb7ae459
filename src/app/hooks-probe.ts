/**
 * Whether the hooks of coding agents really deny: the very command that the client's settings name is run as the client
 * would, with a call that must be denied and one that must pass; then the client itself, where it is installed. What is
 * not tried is not proven.
 */
import type { HooksProbed } from '../contracts/hooks.ts';
import { type Actor, type HookClient, SYSTEM } from '../facts/index.ts';
import { hooksPlan } from '../gateway/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { type ClientProbe, probeClaudeCode, probeCodex } from './client-probe.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { type HookLook, isTakenAway, lookAtHooks, placeOf } from './hook-records.ts';
import type { Handler } from './hook-settings.ts';
import { PROBE_SESSION } from './judge-hook.ts';
import { runProgram } from './run-program.ts';
import { criticalNotice, sendNow } from './tell-operators.ts';

export type Probe = HooksProbed['probes'][number];

/** Far longer than it takes. */
const COMMAND_MS = 30_000;

/** For the command line: probes, records, and says what it found. */
export function probeHooks(context: AppContext): Promise<HooksProbed> {
  return withOpened(context, async (opened) => {
    const actor = await context.actor(opened.config.identity.agents);
    return { probes: await probeAndRecord(context, opened, actor) };
  });
}

/** At the start of `hone up`, and every day: whoever took hooks away is told of on every channel, once. */
export async function probeInBackground(context: AppContext, opened: Opened): Promise<number> {
  const probes = await probeAndRecord(context, opened, SYSTEM);
  return probes.filter(({ verdict }) => verdict !== 'not installed').length;
}

async function probeAndRecord(context: AppContext, opened: Opened, actor: Actor): Promise<Probe[]> {
  const looks = await lookAtHooks(context, opened);
  const probes: Probe[] = [];
  for (const look of looks) probes.push(await tryHook(context, opened, look, 'and client'));
  const place = placeOf(opened);
  const found = probes.filter(({ verdict }) => verdict !== 'not installed');
  if (found.length === 0) return probes;
  const before = new Map(looks.map(({ client, record }) => [client, record?.verdict]));
  const effects = found
    .filter(
      ({ client, verdict }) => verdict === 'taken away' && before.get(client) !== 'taken-away',
    )
    .flatMap(({ client, why }) =>
      criticalNotice(opened, {
        key: `hooks/gone/${context.newId('gone')}`,
        title: `The hooks of ${client} are gone`,
        text: `${why} Calls of its agents are not judged, and tasks stop at verify. "hone hooks install ${client} --write" puts the hooks back; an operator records that they stay away with "hone hooks off".`,
      }),
    );
  const nowMs = await opened.store.nowMs();
  const plan = hooksPlan(
    found.map(({ client, verdict, why }) => ({
      type: 'gateway.hooks_probed',
      data: { client, place, verdict: verdict.replaceAll(' ', '-'), why: recordedText(why) },
    })),
    { actor, nowMs },
  );
  await opened.store.commit({ ...plan, effects });
  if (effects.length > 0 && !context.hasWorkers) await sendNow(context, opened);
  return probes;
}

/** Records nothing. `only command` leaves the client itself alone, which takes seconds. */
export async function tryHook(
  context: AppContext,
  opened: Opened,
  look: HookLook,
  how: 'only command' | 'and client',
): Promise<Probe> {
  const { client, standing } = look;
  const said = (verdict: Probe['verdict'], why: string): Probe => ({ client, verdict, why });
  if (isTakenAway(look)) {
    const why = 'missing' in standing ? standing.missing : 'Nobody has put them back.';
    return said('taken away', `They were installed, and are gone: ${why}`);
  }
  if ('missing' in standing)
    return said('not installed', `"hone hooks install ${client}" installs them.`);
  const { handler } = standing;
  const { mode } = await opened.switches.read('hooks');
  if (mode !== 'enforce')
    return said(
      'not proven',
      `It only observes (mode ${mode}). "hone switch set hooks enforce" makes it deny.`,
    );
  const fault = await commandFault(context, { root: opened.home.root, client, handler });
  if (fault !== undefined) return said('not proven', fault);
  if (client === 'codex') {
    const why =
      how === 'only command' ? '' : ` ${(await codexProbe(context, opened, handler)).why}`;
    return said(
      'not proven',
      `The command denies.${why} Codex asks a hook only after somebody trusted it there, and lets a call pass when its hook fails: it can only observe. Put its servers behind "hone mcp gateway".`,
    );
  }
  if (handler['onFailure'] !== 'block')
    return said(
      'not proven',
      'The command denies, but a crash or a timeout of it lets a call pass: its settings lack "onFailure": "block".',
    );
  if (how === 'only command') return said('not proven', 'The command denies.');
  return clientVerdict(client, await probeClient(context, opened));
}

const probeClient = ({ environment, clock }: AppContext, { home }: Opened) =>
  probeClaudeCode({ root: home.root, environment, clock });

const codexProbe = ({ environment, clock }: AppContext, { home }: Opened, handler: Handler) =>
  probeCodex({ root: home.root, environment, clock }, handler);

function clientVerdict(client: HookClient, probe: ClientProbe): Probe {
  const why = `The command denies. ${probe.why}`;
  return { client, verdict: probe.tried && probe.honoured ? 'proven' : 'not proven', why };
}

/** Undefined where it denies what must be denied, and nothing else. */
async function commandFault(
  { environment, clock }: AppContext,
  { root, client, handler }: { root: string; client: HookClient; handler: Handler },
): Promise<string | undefined> {
  const { HONE_TOKEN: _, ...env } = environment;
  const run = (tool_name: string, tool_input: object) =>
    runProgram(['/bin/sh', '-c', handler.command!], {
      ...{ cwd: root, env, clock, timeoutMs: COMMAND_MS },
      input: JSON.stringify({
        ...{ session_id: PROBE_SESSION, transcript_path: '', cwd: root },
        ...{ hook_event_name: 'PreToolUse', tool_name, tool_input },
      }),
    });
  const denied = await run('Bash', { command: 'rm -rf / --no-preserve-root' });
  if (denied.code !== 2 || denied.err.trim() === '')
    return `A call that must be denied was not: the command ended with ${denied.code ?? 'no code'}.`;
  const tool = client === 'codex' ? 'mcp__hone__resources.read' : 'Read';
  const passed = await run(tool, { file_path: 'README.md' });
  return passed.code === 0 ? undefined : 'A call that must pass did not.';
}
