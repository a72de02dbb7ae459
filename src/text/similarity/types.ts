/** The similarity's nouns. Everything comes from logs and telemetry: every field may be missing or odd. */

export interface Failure {
  readonly message: string;
  /** `TimeoutError`, `java.io.IOException`; taken out of the message when it is not given. */
  readonly errorClass?: string;
  readonly tool?: string;
  /** A stack trace, as text or as one line per frame, in any language. */
  readonly stack?: string | readonly string[];
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export type Component = 'message' | 'errorClass' | 'codes' | 'tool' | 'stack' | 'attributes';

/** One argument for or against, in the order of its weight. */
export interface Reason {
  readonly component: Component;
  /** 1 alike, 0 unlike. */
  readonly similarity: number;
  readonly weight: number;
  /** What it leaves of the whole score: 1, or less for a difference that tells failures apart. */
  readonly remains: number;
  /** What was the same, or what differs: `"connect" / "read"`. */
  readonly note: string;
}

export interface Comparison {
  /** 0 to 1; 0.8 and above means the same failure. */
  readonly score: number;
  readonly same: boolean;
  readonly reasons: readonly Reason[];
}

export const SAME_FROM = 0.8;
