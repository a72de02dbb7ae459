/** What every channel promises. A member's test calls it with a setting and a real receiver. */
import { afterEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Log, ManualClock } from '../base/index.ts';
import type { Destination, Effect } from '../outbox/index.ts';
import type { Channel, ChannelPorts, NoticePayload } from './types.ts';

export const SECRET = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;

export interface ChannelUnderTest<T extends z.ZodType> {
  readonly channel: Channel<T>;
  /** Names at least one destination, the receiver. */
  readonly setting: z.output<T>;
  /** Names no destination. */
  readonly off: z.output<T>;
  /** Everything that the receiver got, as it came. */
  received(): string;
  /** Makes the receiver refuse or go away; absent where it cannot. */
  fail?(): Promise<void>;
  readonly ports?: Partial<ChannelPorts>;
  close?(): Promise<void>;
}

export const NOTICE: NoticePayload = {
  to: 'approver',
  severity: 'high',
  title: 'Asked: wait longer',
  text: 'Look: hone proposals show p_1',
};

export function effectOf(payload: NoticePayload, key = 'notice/k'): Effect {
  return {
    id: 1,
    key,
    destination: 'of the channel',
    step: 'approve',
    lane: 'decision',
    state: 'sending',
    attempts: 1,
    dueAtMs: 0,
    payload: { ...payload },
    error: null,
    result: null,
    changedAtMs: 0,
  };
}

/** Keeps what is warned of. */
export function portsOf(changes: Partial<ChannelPorts> = {}) {
  const warned: string[] = [];
  const keep = (message: string) => void warned.push(message);
  const log: Log = { debug: () => {}, info: () => {}, warn: keep, error: keep };
  const ports: ChannelPorts = {
    clock: new ManualClock(Date.UTC(2026, 5, 1)),
    log,
    write: () => {},
    secret: () => SECRET,
    ...changes,
  };
  return { ports, warned };
}

export function channelContract<T extends z.ZodType>(
  name: string,
  make: () => Promise<ChannelUnderTest<T>>,
): void {
  describe(`the contract of a channel: ${name}`, () => {
    let close: (() => Promise<void>) | undefined;
    afterEach(async () => close?.());

    async function opened() {
      const under = await make();
      close = under.close;
      const { ports, warned } = portsOf(under.ports);
      const destinations = under.channel.open(under.setting, ports);
      return { ...under, warned, destinations, first: destinations[0] as Destination };
    }
    const send = ({ send: sent }: Destination, payload: NoticePayload, key?: string) =>
      sent(effectOf(payload, key), new AbortController().signal);

    test('has a default, and names its destinations by words that stay', async () => {
      const { channel, setting, off } = await opened();
      expect(channel.setting.safeParse(undefined).success).toBe(true);
      const names = channel.destinations(setting);
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
      for (const one of names) expect(one).toMatch(/^[a-z][a-z0-9-]*(:[a-z0-9][a-z0-9-]*)?$/);
      expect(channel.destinations(setting)).toEqual(names);
      expect(channel.destinations(off)).toEqual([]);
    });

    test('opens every destination that it names', async () => {
      const { channel, setting, destinations, warned } = await opened();
      expect(destinations.map((one) => one.name)).toEqual(channel.destinations(setting));
      expect(warned).toEqual([]);
    });

    test('brings severity, title and text to the receiver', async () => {
      const { first, received } = await opened();
      expect(await send(first, NOTICE)).toEqual({ outcome: 'delivered' });
      for (const part of [NOTICE.severity, NOTICE.title, NOTICE.text])
        expect(received()).toContain(part);
    });

    test('passes on no raw control character, whoever wrote the text', async () => {
      const { first, received } = await opened();
      const text = 'a\u001b[2Jb\u0007c\u009bd\u202ee\rf';
      await send(first, { ...NOTICE, title: text, text });
      const raw = [...received()].filter((one) => one < ' ' && one !== '\n');
      expect(raw).toEqual([]);
    });

    test('the same effect sent again is the same message', async () => {
      const { first, received } = await opened();
      await send(first, NOTICE, 'notice/same');
      const once = received();
      expect(await send(first, NOTICE, 'notice/same')).toEqual({ outcome: 'delivered' });
      expect(received()).toBe(`${once}${once}`);
    });

    test('answers when the receiver fails, does not throw, and shows no secret', async () => {
      const { first, fail } = await opened();
      if (fail === undefined) return;
      await fail();
      const sent = await send(first, NOTICE);
      expect(sent).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/./) });
      expect(JSON.stringify(sent)).not.toContain(SECRET);
    });
  });
}
