/** The channels that Hone knows, by their key below `notify`. Adding one: `docs/guides/add-a-channel.md`. */
import type { z } from 'zod';
import type { Destination } from '../outbox/index.ts';
import { commands } from './channels/command.ts';
import { emails } from './channels/email.ts';
import { slack } from './channels/slack.ts';
import { terminal } from './channels/terminal.ts';
import { webhooks } from './channels/webhook.ts';
import type { Channel, ChannelPorts, Channels } from './types.ts';

export const CHANNELS = { terminal, webhooks, slack, emails, commands } as const;

type Key = keyof typeof CHANNELS;

/** What is for somebody goes to these channels and no others. */
interface Route {
  readonly to: string;
  readonly channels: readonly string[];
}

/** The section `notify`, as it was read. */
export type NotifySettings = {
  readonly [K in Key]: z.output<(typeof CHANNELS)[K]['setting']>;
} & { readonly routes: readonly Route[] };

/** Where notices go by these settings. A route that leads nowhere is none: everybody is told rather than nobody. */
export function channelsOf(settings: NotifySettings): Channels {
  const names = members(settings).flatMap(({ channel, setting }) => channel.destinations(setting));
  const routes = settings.routes.filter(({ channels }) =>
    channels.some((one) => names.includes(one)),
  );
  return names.map((name) => {
    const routed = new Set(routes.map(({ to }) => to));
    for (const { to, channels } of routes) if (channels.includes(name)) routed.delete(to);
    return routed.size === 0 ? name : { name, not: [...routed] };
  });
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
