/** `hone tiers list|on|off|reset`: which tiers decide without a person. */
import { listTiers, resetTiers, switchTierOff, switchTierOn } from '../../app/tiers.ts';
import type { TierList, TierSet } from '../../contracts/tier.ts';
import { answer } from '../answer.ts';
import { baselineText } from '../baseline-text.ts';
import type { Context } from '../context.ts';
import { fields, wrap } from '../layout.ts';

export function tiersList(context: Context): Promise<number> {
  return answer(context, listTiers(context), (found) => text(found, context.io.columns));
}

interface Options {
  readonly reason: string;
  readonly evenUnstable?: boolean;
}

export function tiersOn(
  context: Context,
  tier: string,
  { reason, evenUnstable = false }: Options,
): Promise<number> {
  return changed(context, switchTierOn(context, tier, { reason, evenUnstable }));
}

export function tiersOff(context: Context, tier: string, { reason }: Options): Promise<number> {
  return changed(context, switchTierOff(context, tier, { reason, evenUnstable: false }));
}

export function tiersReset(context: Context, { reason }: Options): Promise<number> {
  return changed(context, resetTiers(context, { reason, evenUnstable: false }));
}

function changed(context: Context, done: ReturnType<typeof resetTiers>): Promise<number> {
  const { columns } = context.io;
  return answer(context, done, (set: TierSet) => {
    const late = wrap('The notices could not be sent yet; "hone up" sends them.', columns);
    return `${text(set, columns)}${set.told ? '' : late}`;
  });
}

function text({ tiers, pausedBy, used, limit, baseline }: TierList, columns: number): string {
  const rows: [string, string][] = [
    ...tiers.map(({ tier, decides }): [string, string] => [
      `Tier ${tier}`,
      decides === 'hone' ? 'HONE DECIDES by itself' : 'a person is asked',
    ]),
    ['Today', `${used} of ${limit} changes in 24 hours without a person`],
    ['Baseline', baselineText(baseline)],
  ];
  const paused =
    pausedBy === null
      ? ''
      : wrap(
          `PAUSED: ${pausedBy} was taken back for its harm. People are asked until an operator runs "hone tiers reset".`,
          columns,
        );
  return `${fields(rows, columns)}${paused}`;
}
