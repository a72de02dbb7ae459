/** The modes of Hone's gates. */
import type { SetSwitch, SwitchList, SwitchSetInput } from '../contracts/switch.ts';
import type { Actor, EffectDraft } from '../facts/index.ts';
import { gateComments } from '../loop/index.ts';
import { FIXED_GATES, isWeakened } from '../policy/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import type { Refusal } from './refusal.ts';
import { criticalNotice, sendNow } from './tell-operators.ts';

export function listSwitches(context: AppContext): Promise<SwitchList> {
  return withOpened(context, async ({ switches }) => {
    const about = gateComments();
    const all = await switches.list();
    return { switches: all.map((one) => ({ ...one, about: about.get(one.gate) ?? '' })) };
  });
}

/** Weakening a gate needs an operator once there is one, and sends notices; making it stricter needs nobody. */
export function setSwitch(
  context: AppContext,
  gate: string,
  { mode, reason }: SwitchSetInput,
): Promise<SetSwitch | Refusal> {
  return withOpened(context, async (opened): Promise<SetSwitch | Refusal> => {
    const { switches, config } = opened;
    const known = (await switches.list()).map((one) => one.gate);
    const weakens = known.includes(gate) && isWeakened(gate, mode);
    const who = weakens
      ? await authorise(context, opened, {
          action: 'weaken_gate',
          subject: { kind: 'Gate', id: gate, mode },
        })
      : { actor: await context.actor(config.identity.agents), unchanged: [] };
    if ('refused' in who) return who;
    if (weakens && opened.held !== undefined) {
      return { refused: `No gate is weakened now. ${opened.held}` };
    }
    const { actor } = who;
    const result = await switches.set(gate, mode, actor, reason, {
      expect: who.unchanged,
      effects: weakens ? told({ context, opened, actor }, gate, { mode, reason }) : [],
    });
    if (result.set) {
      return { gate, mode, source: 'set', told: !weakens || (await sendNow(context, opened)) };
    }
    const gates = known.join(', ');
    const why = {
      unknown_gate: `There is no gate "${gate}". Gates: ${gates}.`,
      fixed: `${gate} cannot be switched: ${FIXED_GATES.get(gate)}. Gates: ${gates}.`,
      not_human: `${actor.id} is an agent, and only a person weakens a gate.`,
      changed: 'Somebody else has just changed it. Look at "hone switch list".',
    }[result.why];
    return { refused: why, kind: result.why === 'unknown_gate' ? 'unknown' : 'refused' };
  });
}

function told(
  { context, opened, actor }: { context: AppContext; opened: Opened; actor: Actor },
  gate: string,
  { mode, reason }: SwitchSetInput,
): EffectDraft[] {
  return criticalNotice(opened, {
    key: `switch/${gate}/${context.newId('set')}`,
    title: `The gate ${gate} was set to ${mode} by ${actor.id}`,
    text: `${reason.trim().slice(0, 1000)} If none of you did this, run hone stop-all, then hone switch set ${gate} enforce.`,
  });
}
