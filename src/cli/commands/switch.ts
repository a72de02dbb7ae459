/** `hone switch list|set`: the modes of Hone's gates. */

import { type Opened, withOpened } from '../../app/context.ts';
import { operatorOf } from '../../app/operator-only.ts';
import { criticalNotice, sendNow } from '../../app/tell-operators.ts';
import type { Actor, EffectDraft, SwitchMode } from '../../facts/index.ts';
import { FIXED_GATES, isWeakened } from '../../policy/index.ts';
import type { Context } from '../context.ts';
import { present, refuse } from '../io.ts';
import { table, wrap } from '../layout.ts';

export function switchList(context: Context): Promise<number> {
  return withOpened(context, async ({ switches }) => {
    const list = await switches.list();
    present(context.io, { switches: list }, () =>
      table(
        {
          head: ['GATE', 'MODE', 'FROM'],
          rows: list.map(({ gate, mode, source }) => [
            gate,
            mode,
            source === 'set' ? 'hand' : 'hone.yaml',
          ]),
        },
        context.io.columns,
      ),
    );
    return 0;
  });
}

/** To weaken a gate takes an operator once there is one, and is told; to make it stricter takes nobody. */
export function switchSet(
  context: Context,
  gate: string,
  mode: SwitchMode,
  options: { reason: string },
): Promise<number> {
  const { io } = context;
  return withOpened(context, async (opened) => {
    const { switches, config } = opened;
    const known = (await switches.list()).map((one) => one.gate);
    const weakens = known.includes(gate) && isWeakened(gate, mode);
    const who = weakens
      ? await operatorOf(context, opened)
      : { actor: await context.actor(config.identity.agents), unchanged: [] };
    if ('refused' in who) return refuse(io, who.refused);
    if (weakens && opened.held !== undefined) {
      return refuse(io, `No gate is weakened now. ${opened.held}`);
    }
    const { actor } = who;
    const result = await switches.set(gate, mode, actor, options.reason, {
      expect: who.unchanged,
      effects: weakens ? told({ context, opened, actor }, { gate, mode, ...options }) : [],
    });
    if (result.set) {
      const isTold = !weakens || (await sendNow(context, opened));
      present(io, { gate, mode, source: 'set' }, () =>
        [
          `${gate} is now ${mode}.\n`,
          isTold
            ? ''
            : wrap('The notices could not be sent yet; "hone up" sends them.', io.columns),
        ].join(''),
      );
      return 0;
    }
    const gates = known.join(', ');
    const why = {
      unknown_gate: `There is no gate "${gate}". Gates: ${gates}.`,
      fixed: `${gate} cannot be switched: ${FIXED_GATES.get(gate)}. Gates: ${gates}.`,
      not_human: `${actor.id} is an agent, and only a person weakens a gate.`,
      changed: 'Somebody else changed it just now. Look at "hone switch list".',
    }[result.why];
    return refuse(io, why, result.why === 'unknown_gate' ? 2 : 1);
  });
}

function told(
  { context, opened, actor }: { context: Context; opened: Opened; actor: Actor },
  { gate, mode, reason }: { gate: string; mode: SwitchMode; reason: string },
): EffectDraft[] {
  return criticalNotice(opened, {
    key: `switch/${gate}/${context.newId('set')}`,
    title: `The gate ${gate} was set to ${mode} by ${actor.id}`,
    text: `${reason.trim().slice(0, 1000)} If that was not one of you: hone stop-all, then hone switch set ${gate} enforce.`,
  });
}
