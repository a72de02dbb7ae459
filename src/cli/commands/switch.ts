/** `hone switch list|set`: the modes of Hone's gates. */
import { listSwitches, setSwitch } from '../../app/switches.ts';
import type { SwitchSetInput } from '../../contracts/switch.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { table, wrap } from '../layout.ts';

export function switchList(context: Context): Promise<number> {
  return answer(context, listSwitches(context), ({ switches }) => {
    const rows = switches.map(({ gate, mode, source }) => [
      gate,
      mode,
      source === 'set' ? 'hand' : 'hone.yaml',
    ]);
    return table({ head: ['GATE', 'MODE', 'FROM'], rows }, context.io.columns);
  });
}

export function switchSet(
  context: Context,
  gate: string,
  mode: SwitchSetInput['mode'],
  { reason }: { reason: string },
): Promise<number> {
  return answer(context, setSwitch(context, gate, { mode, reason }), ({ told }) => {
    const late = wrap(
      'The notices could not be sent yet; "hone up" sends them.',
      context.io.columns,
    );
    return `${gate} is now ${mode}.\n${told ? '' : late}`;
  });
}
