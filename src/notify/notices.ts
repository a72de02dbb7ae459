/**
 * Notices as effects: queued in the commit that has something to tell, sent by the outbox, one per
 * destination and key, so nothing is told twice and nothing that was decided goes untold.
 */
import type { EffectDraft } from '../facts/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Channels, Notice } from './types.ts';

export const TERMINAL = 'terminal';
export const webhookName = (name: string) => `webhook:${name}`;

/** Of the section `notify`. */
export function channelsOf(settings: {
  readonly terminal: boolean;
  readonly webhooks: readonly { readonly name: string }[];
}): Channels {
  return { terminal: settings.terminal, webhooks: settings.webhooks.map(({ name }) => name) };
}

/** Sent to others: no secret goes along, also not in an error's words. Who did something is told. */
export const toldText = (text: string) => mask(text, { except: ['email'] }).text;

function destinationsOf(channels: Channels): string[] {
  return [...(channels.terminal ? [TERMINAL] : []), ...channels.webhooks.map(webhookName)];
}

export function isChannel(destination: string, channels: Channels): boolean {
  return destinationsOf(channels).includes(destination);
}

export function noticeEffects(notice: Notice, channels: Channels): EffectDraft[] {
  const destinations = destinationsOf(channels);
  const { key, to, severity, step } = notice;
  const [title, text] = [toldText(notice.title), toldText(notice.text)];
  return destinations.map((destination) => ({
    key: `notice/${destination}/${key}`.slice(0, 250),
    destination,
    payload: { to, severity, title, text },
    step,
  }));
}
