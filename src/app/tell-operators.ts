/** Critical notices about what somebody did at the command line: sent at once, even while everything is stopped. */
import type { EffectDraft } from '../facts/index.ts';
import { type Channels, channelsOf, noticeEffects } from '../notify/index.ts';
import { readEffect } from '../outbox/index.ts';
import type { Store } from '../store/index.ts';
import type { AppContext, Opened } from './context.ts';

/** Goes into the commit of the action. Sent to the channels in effect until then. */
export function criticalNotice(
  { config }: Pick<Opened, 'config'>,
  notice: { readonly key: string; readonly title: string; readonly text: string },
): EffectDraft[] {
  const told = { ...notice, to: 'operator', severity: 'critical', step: 'monitor' } as const;
  return noticeEffects(told, channelsOf(config.notify));
}

/** False if it could not be sent yet; then "hone up" sends it. */
export async function sendNow(context: AppContext, opened: Opened): Promise<boolean> {
  try {
    await using open = await context.openLoop(opened);
    await open.deliver();
    return true;
  } catch {
    return false;
  }
}

/** Channels that did not get it. One that is no longer configured will not get it later either. */
export async function untold(
  store: Store,
  effects: readonly EffectDraft[],
  next: Channels,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { key, destination } of effects) {
    if ((await readEffect(store, key))?.state === 'delivered') continue;
    const names = next.map((one) => (typeof one === 'string' ? one : one.name));
    const later = names.includes(destination)
      ? '"hone up" tries again.'
      : 'It is no longer configured: notify its readers yourself.';
    lines.push(`${destination} could not be notified yet. ${later}`);
  }
  return lines;
}
