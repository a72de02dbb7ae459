/**
 * Notices as effects: queued in the commit that has something to tell, sent by the outbox, one per
 * destination and key, so nothing is told twice and nothing that was decided goes untold.
 */
import type { EffectDraft } from '../facts/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Channels, Notice, NoticePayload } from './types.ts';

/** Sent to others: no secret goes along, also not in an error's words. Who did something is told. */
export const toldText = (text: string) => mask(text, { except: ['email'] }).text;

export function noticeEffects(notice: Notice, channels: Channels): EffectDraft[] {
  const { key, to, severity, step } = notice;
  const [title, text] = [toldText(notice.title), toldText(notice.text)];
  const payload = { to, severity, title, text } satisfies NoticePayload;
  return channels.map((destination) => ({
    key: `notice/${destination}/${key}`.slice(0, 250),
    destination,
    payload,
    step,
  }));
}
