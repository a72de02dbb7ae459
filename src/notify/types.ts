import type { z } from 'zod';
import type { Clock, Log } from '../base/index.ts';
import type { Field } from '../config/index.ts';
import type { EffectDraft, Severity, StepKind } from '../facts/index.ts';
import type { Destination } from '../outbox/index.ts';
import type { Write } from '../store/index.ts';

/** A notice for somebody. */
export interface Notice {
  /** The same notice has the same key: it is sent once to each destination. */
  readonly key: string;
  /**
   * A role, or somebody's name as the configuration has it. Every destination gets every notice, with
   * this in it, unless `notify.routes` sends it elsewhere.
   */
  readonly to: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** What it is part of: news of watching and rolling back are sent even while everything is stopped. */
  readonly step: StepKind;
}

/** What goes into the commit that a notice is about. */
export interface Told {
  /** Sent at once. */
  readonly effects: readonly EffectDraft[];
  /** Kept for the next batch. */
  readonly writes: readonly Write[];
}

/** The destinations that notices go to, by their names in the outbox; one may leave out what is routed elsewhere. */
export type Channels = readonly (
  | string
  | { readonly name: string; readonly not: readonly string[] }
)[];

/** What a destination gets. It names the addressee: sorting by that is up to the receiver. */
export interface NoticePayload {
  readonly to: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
}

/** What channels may need of the world. */
export interface ChannelPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Writes to the terminal of `hone up` or `hone cycle`. */
  readonly write: (text: string) => void;
  /** The value of an environment variable, read when Hone starts and never kept. */
  readonly secret: (variable: string) => string | undefined;
  /** Runs a command to its end; absent where none is run. */
  readonly run?: (
    words: readonly string[],
    given: CommandInput,
    signal: AbortSignal,
  ) => Promise<CommandEnd>;
}

export interface CommandInput {
  readonly variables: Readonly<Record<string, string>>;
  /** Its standard input; none unless given. */
  readonly input?: string;
}

export interface CommandEnd {
  readonly how: 'done' | 'failed' | 'timeout' | 'not_started';
  readonly code: number | null;
}

/** One way of telling people, with its key of the section `notify`. */
export interface Channel<T extends z.ZodType = z.ZodType> {
  readonly setting: Field<T>;
  /** The names of the destinations that this setting asks for: `<channel>` or `<channel>:<name>`. */
  destinations(setting: z.output<T>): readonly string[];
  /** The destinations ready to send. One that lacks something, such as a secret, is left out and logged. */
  open(setting: z.output<T>, ports: ChannelPorts): readonly Destination[];
}
