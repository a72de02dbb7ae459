/** What a forge sends by itself: it makes Hone look, and decides nothing. */
import { type SentWebhook, WebhookReader } from '../deploy/index.ts';
import { wakeProposal } from '../loop/index.ts';
import { type AppContext, withOpened } from './context.ts';

export type ForgeWebhooks = (
  context: AppContext,
  sent: SentWebhook,
) => Promise<{ readonly taken: boolean }>;

/** `secret`: as the environment has it; empty where no webhooks are expected. */
export function forgeWebhooks(secret: string): ForgeWebhooks {
  const reader = new WebhookReader(secret);
  return async (context, sent) => {
    const read = reader.read(sent);
    if (read.is === 'refused') return { taken: false };
    if (read.is === 'look')
      await withOpened(context, ({ store }) => wakeProposal(store, read.proposalId));
    return { taken: true };
  };
}
