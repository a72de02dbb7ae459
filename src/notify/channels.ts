/** The channels that Hone knows, by their key below `notify`. Adding one: `docs/guides/add-a-channel.md`. */
import type { z } from 'zod';
import type { Destination } from '../outbox/index.ts';
import { terminal } from './channels/terminal.ts';
import { webhooks } from './channels/webhook.ts';
import type { Channel, ChannelPorts, Channels } from './types.ts';

export const CHANNELS = { terminal, webhooks } as const;

type Key = keyof typeof CHANNELS;

/** The section `notify`, as it was read. */
export type NotifySettings = {
  readonly [K in Key]: z.output<(typeof CHANNELS)[K]['setting']>;
};

/** Where notices go by these settings. */
export function channelsOf(settings: NotifySettings): Channels {
  return members(settings).flatMap(({ channel, setting }) => channel.destinations(setting));
}

/** What the outbox sends them with. */
export function openChannels(settings: NotifySettings, ports: ChannelPorts): Destination[] {
  return members(settings).flatMap(({ channel, setting }) => channel.open(setting, ports));
}

/** Each member with its own setting: the one place where the type that links them is lost. */
function members(settings: NotifySettings): { channel: Channel; setting: unknown }[] {
  return (Object.keys(CHANNELS) as Key[]).map((key) => ({
    channel: CHANNELS[key] as Channel,
    setting: settings[key],
  }));
}
