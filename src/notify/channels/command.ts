/**
 * A command of the accepted configuration, started once for each notice: no shell reads its words, and the notice is in
 * variables of its environment. One that may have run is not run again by itself; its key is there for whoever wants to
 * know a repetition that a person asked for.
 */
import { z } from 'zod';
import { field } from '../../config/index.ts';
import type { Destination, Effect, Sent } from '../../outbox/index.ts';
import type { Channel, ChannelPorts, CommandEnd, CommandInput, NoticePayload } from '../types.ts';

const type = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
      run: z.array(z.string().min(1).max(1000)).min(1).max(50),
    }),
  )
  .max(20);

const nameOf = ({ name }: { readonly name: string }) => `command:${name}`;

export const commands: Channel<typeof type> = {
  setting: field(type, [], {
    weakens: 'any',
    comment: 'Commands: name, run (its words). The notice is in HONE_NOTICE_TITLE, ….',
  }),
  destinations: (configured) => configured.map(nameOf),
  open: (configured, ports) =>
    openCommands(configured, ports, {
      nameOf,
      given: (_, effect) => ({ variables: variablesOf(effect) }),
    }),
};

interface Started {
  readonly name: string;
  readonly run: readonly string[];
}

interface CommandForm<T> {
  nameOf(one: T): string;
  /** What it is started with for a notice. */
  given(one: T, effect: Effect): CommandInput;
}

/** One destination for each command. What may have been done by one is not done again by itself. */
export function openCommands<T extends Started>(
  configured: readonly T[],
  { log, run }: Pick<ChannelPorts, 'log' | 'run'>,
  { nameOf: name, given }: CommandForm<T>,
): Destination[] {
  return configured.flatMap((one) => {
    if (run === undefined) {
      log.warn('no commands are run here', { command: one.name });
      return [];
    }
    return [
      {
        kind: 'once',
        name: name(one),
        send: async (effect, signal) => sentBy(await run(one.run, given(one, effect), signal)),
      },
    ];
  });
}

/** One string of an environment has at most 128 KiB on Linux. */
const TEXT_MAX = 30_000;

function variablesOf({ key, payload }: Effect): Record<string, string> {
  const { to, severity, title, text } = payload as unknown as NoticePayload;
  return {
    HONE_NOTICE_KEY: key,
    HONE_NOTICE_TO: plain(to),
    HONE_NOTICE_SEVERITY: severity,
    HONE_NOTICE_TITLE: plain(title),
    HONE_NOTICE_TEXT: text.split('\n').map(plain).join('\n').slice(0, TEXT_MAX),
  };
}

function sentBy(answer: CommandEnd): Sent {
  switch (answer.how) {
    case 'done':
      return { outcome: 'delivered' };
    case 'not_started':
      return { outcome: 'failed', error: 'the command cannot be started', notDone: true };
    case 'timeout':
      return { outcome: 'failed', error: 'the command took too long' };
    case 'failed':
      return { outcome: 'failed', error: `the command ended with ${answer.code ?? 'a signal'}` };
  }
}

export const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ');
