/** Critical news of what somebody did at the command line: told at once, also while everything is stopped. */
import type { EffectDraft } from '../facts/index.ts';
import { channelsOf, noticeEffects } from '../notify/index.ts';
import type { Context, Opened } from './context.ts';

/** Goes into the commit of what is told. */
export function criticalNotice(
  { config }: Opened,
  notice: { readonly key: string; readonly title: string; readonly text: string },
): EffectDraft[] {
  const told = { ...notice, to: 'operator', severity: 'critical', step: 'monitor' } as const;
  return noticeEffects(told, channelsOf(config.notify));
}

/** False where it could not be sent yet; "hone up" sends it then. */
export async function sendNow(context: Context, opened: Opened): Promise<boolean> {
  try {
    await using open = await context.openLoop(opened);
    await open.deliver();
    return true;
  } catch {
    return false;
  }
}
