/**
 * `hone hook <client>`: one short process for each event. It answers before a call with silence or with a refusal, and
 * everything that goes wrong is a refusal where the hooks enforce.
 */
import type { AppContext } from '../app/context.ts';
import {
  judgeHook,
  keepEvent,
  noteHookOutput,
  noteTranscript,
  PROBE_SESSION,
  tellKeptEvents,
} from '../app/judge-hook.ts';
import { refusalText } from '../app/refusal-text.ts';
import { HOOK_CLIENTS, type HookClient } from '../facts/index.ts';
import { readInput } from './clients.ts';
import { callsMade } from './transcript.ts';

export interface HookIo {
  read(): Promise<string>;
  /** The reason of a refusal, for the agent. */
  refuse(text: string): void;
  /**
   * The answer stands, and what is recorded is durable. A process of its own ends here: closing SQLite's file would copy its
   * log into it and sync twice, while the client waits.
   */
  end?(exit: number): void;
}

/** What a hook needs of the composition; it is little, because it starts so often. */
export type HookContext = Pick<
  AppContext,
  'clock' | 'random' | 'newId' | 'environment' | 'open' | 'openLoop'
>;

const PASSES = 0;
const REFUSES = 2;

export async function runHook(
  context: HookContext,
  client: string | undefined,
  io: HookIo,
): Promise<number> {
  const known = HOOK_CLIENTS.find((one) => one === client);
  if (known === undefined) {
    io.refuse(`"hone hook" needs the name of its client: ${HOOK_CLIENTS.join(' or ')}.`);
    return REFUSES;
  }
  const text = await io.read();
  const input = readInput(known, text);
  if (input === undefined) {
    io.refuse('"hone hook" got no event that it understands on standard input, so it refuses.');
    return REFUSES;
  }
  if (input.kind === 'other') return PASSES;
  const isBefore = input.kind === 'before';
  try {
    return await answer(context, known, input, io);
  } catch (error) {
    // Only a call that is not made yet can be refused.
    if (!isBefore) return PASSES;
    io.refuse(
      `Hone could not judge this call, so it is refused: ${error instanceof Error ? error.message : error}`,
    );
    return REFUSES;
  }
}

async function answer(
  context: HookContext,
  client: HookClient,
  input: Exclude<NonNullable<ReturnType<typeof readInput>>, { kind: 'other' }>,
  io: HookIo,
): Promise<number> {
  const opened = await context.open();
  try {
    switch (input.kind) {
      case 'before': {
        const verdict = await judgeHook(context, opened, input.call);
        if (verdict.passes) {
          io.end?.(PASSES);
          return PASSES;
        }
        io.refuse(refusalText(verdict));
        // What Hone tries itself is nothing that an agent did.
        if (input.call.session !== PROBE_SESSION)
          keepEvent(opened, input.call, verdict, context.clock.nowMs());
        io.end?.(REFUSES);
        return REFUSES;
      }
      case 'after':
        await noteHookOutput(context, opened, input.call, input.output);
        return PASSES;
      case 'turn_end': {
        const { session, transcript } = input;
        if (transcript !== undefined) {
          await noteTranscript(opened, { client, session }, callsMade(client, transcript));
        }
        await tellKeptEvents(context, opened);
        return PASSES;
      }
    }
  } finally {
    await opened.close();
  }
}
