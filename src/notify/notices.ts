/**
 * Notices as effects: queued in the commit they are about, sent by the outbox, one per destination and key,
 * so no notice is sent twice and none is lost.
 */
import type { EffectDraft } from '../facts/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Channels, Notice, NoticePayload } from './types.ts';

/** Sent to others: it must not hold a secret, not even in an error's text. It names who did something. */
export const toldText = (text: string) => mask(text, { except: ['email'] }).text;

/** The name of a channel, if it takes what is for them. */
const nameFor = (to: string) => (channel: Channels[number]) => {
  if (typeof channel === 'string') return [channel];
  return channel.not.includes(to) ? [] : [channel.name];
};

export function noticeEffects(notice: Notice, channels: Channels): EffectDraft[] {
  const { key, to, severity, step } = notice;
  const [title, text] = [toldText(notice.title), toldText(notice.text)];
  const payload = { to, severity, title, text } satisfies NoticePayload;
  return channels.flatMap(nameFor(to)).map((destination) => ({
    key: `notice/${destination}/${key}`.slice(0, 250),
    destination,
    payload,
    step,
  }));
}
