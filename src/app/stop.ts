/** The kill switch. Anybody may pull it; an operator lifts it. */
import { errorMessage } from '../base/index.ts';
import type { BecauseInput } from '../contracts/decision.ts';
import type { Stopped } from '../contracts/stop.ts';
import { HomeError, writePrivateFile } from '../home/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withOpened } from './context.ts';
import type { Refusal } from './refusal.ts';

export async function stopAll(context: AppContext, input: BecauseInput): Promise<Stopped> {
  try {
    return await stopInStore(context, input);
  } catch (error) {
    if (error instanceof HomeError && NOTHING_TO_STOP.has(error.code)) throw error;
    return stopByFile(context, input, error);
  }
}

const NOTHING_TO_STOP: ReadonlySet<string> = new Set(['no_repository', 'not_initialised']);

function stopInStore(context: AppContext, input: BecauseInput): Promise<Stopped> {
  return withOpened(context, async ({ killSwitch, config }) => {
    const before = await killSwitch.state();
    const actor = await context.actor(config.identity.agents);
    await killSwitch.stop(actor, input.reason, context.door);
    const { reason } = await killSwitch.state();
    return { stopped: true, reason, changed: !before.stopped, byFile: null };
  });
}

/** People pull it because something is wrong: it must work even if the store does not. */
function stopByFile(context: AppContext, { reason }: BecauseInput, error: unknown): Stopped {
  const { stopFile: path } = context.home();
  writePrivateFile(path, `${reason}\n`, { exclusive: false });
  return { stopped: true, reason, changed: true, byFile: { path, because: errorMessage(error) } };
}

export function resume(context: AppContext, { reason }: BecauseInput): Promise<Stopped | Refusal> {
  return withOpened(context, async (opened): Promise<Stopped | Refusal> => {
    const { killSwitch, home } = opened;
    const before = await killSwitch.state();
    const who = await authorise(context, opened, { action: 'resume' });
    if ('refused' in who) return who;
    const result = await killSwitch.resume(who.actor, reason, who.unchanged);
    if (result.resumed) return { stopped: false, reason, changed: before.stopped, byFile: null };
    const why = {
      file: `The file ${home.stopFile} exists. Remove it, then run "hone resume" again.`,
      held: before.reason,
      not_human: `${who.actor.id} is an agent, and only a person lifts the stop.`,
      changed: 'Somebody changed the tokens at the same moment. Look at "hone token list".',
    }[result.why];
    return { refused: why };
  });
}
