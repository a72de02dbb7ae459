export { channelsOf, openChannels } from './channels.ts';
export { noticeEffects } from './notices.ts';
export {
  type BatchOptions,
  overdueTellers,
  pendingBatch,
  type Teller,
  tellNews,
} from './pending.ts';
export { type NotifyRule, scheduleNotices } from './schedule-notices.ts';
export type { ChannelPorts, Channels, Notice, Told } from './types.ts';
