export { notifySection } from './config-section.ts';
export { channelsOf, isChannel, noticeEffects } from './notices.ts';
export {
  type BatchOptions,
  overdueTellers,
  pendingBatch,
  type Teller,
  tellNews,
} from './pending.ts';
export { type NotifyRule, scheduleNotices } from './schedule-notices.ts';
export { terminalDestination } from './terminal.ts';
export type { Channels, Notice, Told } from './types.ts';
export { signature, type WebhookOptions, webhookDestination } from './webhook.ts';
