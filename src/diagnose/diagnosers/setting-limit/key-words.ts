/** What the words of a key say about its number. Words are weak evidence: they only add to what was measured. */
import type { FailureKind } from '../../../facts/index.ts';
import { isToolName, toolNames } from '../../tool-names.ts';
import type { Failure, Setting } from '../../types.ts';
import { sameName, wordsOf } from '../../wording.ts';

const KEY_WORDS: Readonly<Record<FailureKind, RegExp>> = {
  timeout: /^(?:timeouts?|deadline|wait|ttl|patience)$/,
  rate_limit: /^(?:rate|rpm|rps|tpm|qps|concurrency|concurrent|parallel|parallelism|burst)$/,
  size_limit: /^(?:max|limit|size|length|tokens|bytes|chars)$/,
  retries_exhausted: /^(?:retry|retries|attempts?|tries)$/,
  other: /^$/,
};
/** `retry_wait_ms` and `cache_ttl_s` wait for something else; `retry_delay_ms` is not a number of tries. */
const OTHER_WORDS: Readonly<Record<FailureKind, RegExp>> = {
  timeout: /^(?:retry|retries|backoff|delay|interval|cache|cooldown|poll)$/,
  rate_limit: /^(?:learning|sample|sampling|error)$/,
  size_limit: /^(?:retries|retry|attempts?|timeouts?|rate|rpm|rps|qps|concurrency)$/,
  retries_exhausted: /^(?:delay|wait|backoff|interval|ms|seconds?|timeouts?|after)$/,
  other: /^$/,
};

/** Key words that name no owner: below `timeouts:` there are these, or the name of a tool. */
const NEUTRAL =
  /^(?:value|defaults?|all|max|limit|total|overall|request|call|read|connect|ms|s|sec|seconds?|min|minutes?)$/;

/** `others`: they say that it is something else. */
export type KeySays = 'fits' | 'nothing' | 'others';

export function keySays(
  { steps }: Setting,
  { agent, tool }: Pick<Failure, 'agent' | 'tool'>,
  kind: FailureKind,
): KeySays {
  const keys = steps.map(({ key }) => key).slice(-2);
  // The tool may be called `wait_for`: the words of a name say nothing about a limit.
  const names = toolNames(tool);
  const isName = (key: string) => isToolName(key, names) || sameName(key, agent);
  const fits = (key: string) =>
    !isName(key) && wordsOf(key).some((word) => KEY_WORDS[kind].test(word));
  const last = keys.at(-1)!;
  const words = keys.filter((key) => !isName(key)).flatMap(wordsOf);
  if (words.some((word) => OTHER_WORDS[kind].test(word))) return 'others';
  if (fits(last)) return 'fits';
  const neutral = isName(last) || wordsOf(last).every((word) => NEUTRAL.test(word));
  return neutral && keys.length === 2 && fits(keys[0]!) ? 'fits' : 'nothing';
}
