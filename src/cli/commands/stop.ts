/** `hone stop-all` and `hone resume`: the kill switch. */
import { type Context, withOpened } from '../context.ts';
import { present, refuse } from '../io.ts';

export function stopAll(context: Context, options: { reason: string }): Promise<number> {
  return withOpened(context, async ({ killSwitch, config }) => {
    const before = await killSwitch.state();
    const actor = await context.actor(config.identity.agents);
    await killSwitch.stop(actor, options.reason, 'command');
    const { reason } = await killSwitch.state();
    present(context.io, { stopped: true, reason, changed: !before.stopped }, () =>
      before.stopped
        ? `It was stopped already: ${reason}\n`
        : 'Stopped. Nothing automatic happens until a person runs "hone resume".\n' +
          'Watching and rolling back go on.\n',
    );
    return 0;
  });
}

export function resume(context: Context, options: { reason: string }): Promise<number> {
  return withOpened(context, async ({ killSwitch, config, home }) => {
    const before = await killSwitch.state();
    const actor = await context.actor(config.identity.agents);
    const result = await killSwitch.resume(actor, options.reason);
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
      held: 'This build cannot read what was accepted. Correct hone.yaml, then "hone config accept".',
      not_human: `${actor.id} is an agent, and only a person lifts the stop.`,
    }[result.why];
    return refuse(context.io, why);
  });
}
