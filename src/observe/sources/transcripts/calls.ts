/** Calls that wait for their results, and what was seen already. Plain JSON, bounded: the oldest are dropped. */

const WAITING_MAX = 100;
/** Of names and ids, so that the state stays well below what the room keeps. */
const WAITING_CHARS_MAX = 24_000;
const SEEN_MAX = 400;

/** A call without its result. Arguments wait as a number, not as texts. */
export type Waiting = {
  /** By which the result finds it. */
  readonly call: number;
  readonly atMs: number | null;
  readonly agent: string;
  readonly tool: string;
  readonly model: string | null;
  /** Which response asked for it. */
  readonly parent: string | null;
  readonly names: readonly string[];
  readonly input: number | null;
  readonly inputBytes: number | null;
  /** What the format told of its outcome before its result came. */
  readonly told: Told | null;
};

export type Told = {
  readonly isFailed: boolean;
  readonly code: string | null;
  readonly latencyMs: number | null;
  readonly provider: string | null;
};

export function withCall(waiting: readonly Waiting[], call: Waiting): readonly Waiting[] {
  const all = [...waiting, call];
  let first = Math.max(0, all.length - WAITING_MAX);
  let chars = 0;
  for (let at = all.length - 1; at >= first; at--) {
    chars += charsOf(all[at]!);
    if (chars > WAITING_CHARS_MAX) first = at + 1;
  }
  return first === 0 ? all : all.slice(first);
}

function charsOf({ agent, tool, model, parent, names }: Waiting): number {
  const named = names.reduce((sum, name) => sum + name.length + 3, 0);
  return 120 + agent.length + tool.length + (model ?? '').length + (parent ?? '').length + named;
}

/** Ids that were counted: what is written twice is counted once. */
export function withSeen(seen: readonly number[], id: number): readonly number[] {
  return seen.length < SEEN_MAX ? [...seen, id] : [...seen.slice(seen.length - SEEN_MAX + 1), id];
}

/** The last call that was answered, if it failed. */
export type Failed = { readonly input: number; readonly attempt: number };

/**
 * The number of a try: the same tool with the same arguments, directly after it failed. With another call in between it is
 * not a retry: tests are run again after every edit.
 */
export function attemptOf(failed: Failed | null, tool: string, input: number | null) {
  if (input === null) return undefined;
  return failed !== null && failed.input === retryKey(tool, input) ? failed.attempt + 1 : 1;
}

export function failedAs(tool: string, input: number | null, attempt: number | undefined) {
  return input === null || attempt === undefined
    ? null
    : { input: retryKey(tool, input), attempt: Math.min(attempt, 1e6) };
}

function retryKey(tool: string, input: number): number {
  let key = input;
  for (let at = 0; at < tool.length; at++) key = (key * 31 + tool.charCodeAt(at)) % 2 ** 47;
  return key;
}
