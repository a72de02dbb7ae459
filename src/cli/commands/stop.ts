/** `hone stop-all` and `hone resume`: the kill switch. Anybody pulls it; an operator lifts it. */

import { withOpened } from '../../app/context.ts';
import { operatorOf } from '../../app/operator-only.ts';
import { errorMessage } from '../../base/index.ts';
import { HomeError, writePrivateFile } from '../../home/index.ts';
import type { Context } from '../context.ts';
import { plainLine, present, refuse } from '../io.ts';
import { wrap } from '../layout.ts';

export async function stopAll(context: Context, options: { reason: string }): Promise<number> {
  try {
    return await stopInStore(context, options);
  } catch (error) {
    if (error instanceof HomeError && NOTHING_TO_STOP.has(error.code)) throw error;
    return stopByFile(context, options, error);
  }
}

const NOTHING_TO_STOP: ReadonlySet<string> = new Set(['no_repository', 'not_initialised']);

function stopInStore(context: Context, options: { reason: string }): Promise<number> {
  return withOpened(context, async ({ killSwitch, config }) => {
    const before = await killSwitch.state();
    const actor = await context.actor(config.identity.agents);
    await killSwitch.stop(actor, options.reason, 'command');
    const { reason } = await killSwitch.state();
    present(context.io, { stopped: true, reason, changed: !before.stopped }, () =>
      wrap(
        before.stopped ? `It was stopped already: ${plainLine(reason)}` : STOPPED,
        context.io.columns,
      ),
    );
    return 0;
  });
}

const STOPPED =
  'Stopped. Nothing automatic happens until a person runs "hone resume". Watching and rolling back go on.';

/** Whoever pulls it does so because something is wrong: that the store is must not keep it from working. */
function stopByFile(context: Context, { reason }: { reason: string }, error: unknown): number {
  const { stopFile } = context.home();
  writePrivateFile(stopFile, `${reason}\n`, { exclusive: false });
  present(context.io, { stopped: true, reason, changed: true }, () =>
    wrap(
      `Stopped by the file ${stopFile}, because the store could not be used: ${errorMessage(error)} ` +
        'Once that is mended, remove the file and run "hone resume".',
      context.io.columns,
    ),
  );
  return 0;
}

export function resume(context: Context, options: { reason: string }): Promise<number> {
  return withOpened(context, async (opened) => {
    const { killSwitch, home } = opened;
    const before = await killSwitch.state();
    const who = await operatorOf(context, opened);
    if ('refused' in who) return refuse(context.io, who.refused);
    const result = await killSwitch.resume(who.actor, options.reason, who.unchanged);
    if (result.resumed) {
      present(
        context.io,
        { stopped: false, reason: options.reason, changed: before.stopped },
        () => (before.stopped ? 'Resumed.\n' : 'It was not stopped.\n'),
      );
      return 0;
    }
    const why = {
      file: `The file ${home.stopFile} exists. Remove it, then run "hone resume" again.`,
      held: before.reason,
      not_human: `${who.actor.id} is an agent, and only a person lifts the stop.`,
      changed: 'Somebody changed the tokens at the same moment. Look at "hone token list".',
    }[result.why];
    return refuse(context.io, why);
  });
}
