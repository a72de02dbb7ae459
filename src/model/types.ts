/** What a provider of models is, and what is written down of the requests that it got. */
import type { z } from 'zod';
import type { Digest, Json } from '../base/index.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One way to ask a model. What it takes is listed field by field: a field that is not listed is refused. */
export interface Provider {
  readonly name: string;
  /** Where it is, unless an operator names another place that speaks the same way. */
  readonly url: string;
  /** The one path that is asked, by POST. */
  readonly path: string;
  /** Of every request: nothing that the sandbox sends as a header goes on. */
  headers(key: string): Readonly<Record<string, string>>;
  /** Nothing in it makes the provider run tools, fetch an address or read a file of its own. */
  readonly request: z.ZodType<{ readonly model: string }>;
  /** The most tokens that it may answer with. */
  outputTokensMax(request: Json): number;
  /** By its answer; undefined where it does not say. */
  usage(answer: unknown): Usage | undefined;
  /** What programs that ask a model are told, where the bridge inside the sandbox is. */
  environment(bridge: string): Readonly<Record<string, string>>;
}

export interface AskedRequest {
  /** As it was sent, sanitised; null where it is too large to be kept. */
  readonly request: Json;
  readonly digest: Digest;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly answer: Digest | null;
  readonly usage: Usage | null;
}

/** Evidence: what was asked of the model, and what was not let through. */
export interface ModelRecord {
  readonly provider: string;
  readonly asked: number;
  /** The first of them. */
  readonly requests: readonly AskedRequest[];
  /** Why requests were not sent, each once, and how many there were. */
  readonly refused: readonly { readonly why: string; readonly count: number }[];
  /** At the prices of the configuration. */
  readonly spentUsd: number;
  /** A request was refused because it could have cost more than was left. */
  readonly isOverSpent: boolean;
}
