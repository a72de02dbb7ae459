/** `hone switch list|set`: the modes of Hone's gates. */
import type { SwitchMode } from '../../facts/index.ts';
import { FIXED_GATES } from '../../policy/index.ts';
import { type Context, withOpened } from '../context.ts';
import { present, refuse, table } from '../io.ts';

export function switchList(context: Context): Promise<number> {
  return withOpened(context, async ({ switches }) => {
    const list = await switches.list();
    present(context.io, { switches: list }, () =>
      table([
        ['GATE', 'MODE', 'FROM'],
        ...list.map(({ gate, mode, source }) => [
          gate,
          mode,
          source === 'set' ? 'hand' : 'hone.yaml',
        ]),
      ]),
    );
    return 0;
  });
}

export function switchSet(
  context: Context,
  gate: string,
  mode: SwitchMode,
  options: { reason: string },
): Promise<number> {
  return withOpened(context, async ({ switches, config }) => {
    const actor = await context.actor(config.identity.agents);
    const result = await switches.set(gate, mode, actor, options.reason);
    if (result.set) {
      present(context.io, { gate, mode, source: 'set' }, () => `${gate} is now ${mode}.\n`);
      return 0;
    }
    const gates = (await switches.list()).map((one) => one.gate).join(', ');
    const why = {
      unknown_gate: `There is no gate "${gate}". Gates: ${gates}.`,
      fixed: `${gate} cannot be switched: ${FIXED_GATES.get(gate)}. Gates: ${gates}.`,
      not_human: `${actor.id} is an agent, and only a person weakens a gate.`,
      changed: 'Somebody else changed it just now. Look at "hone switch list".',
    }[result.why];
    return refuse(context.io, why, result.why === 'unknown_gate' ? 2 : 1);
  });
}
