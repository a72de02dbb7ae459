export { notifySection } from './config-section.ts';
export { noticeEffects } from './notices.ts';
export { terminalDestination } from './terminal.ts';
export type { Channels, Notice } from './types.ts';
export { signature, type WebhookOptions, webhookDestination } from './webhook.ts';
