/** What a change of a number can produce, by what the number limits. Pure. */
import type { Pattern, SettingSubject, SettingValue, Signs } from '../facts/index.ts';

/** Undefined where it is not known what the value limits: then everything that gets worse counts against the change. */
export function signsOf(
  { kind }: Pick<Pattern, 'kind'>,
  { value: from, limits }: Pick<SettingSubject, 'value' | 'limits'>,
  to: SettingValue,
): Signs | undefined {
  if (typeof from !== 'number' || typeof to !== 'number' || from === to) return undefined;
  const isUp = to > from;
  const limited = limits ?? BY_KIND.get(kind);
  if (limited === 'time' && isUp && from > 0)
    return { failures: 'less', latency: 'more', latencyTimes: to / from, calls: 'same' };
  if (limited === 'time') {
    const shorter = to > 0 && from > 0 ? { latencyTimes: to / from } : {};
    return { failures: 'less', latency: 'less', ...shorter, calls: 'same' };
  }
  if (limited === 'tokens' && isUp && from > 0) {
    // What is not cut off any more takes longer to write.
    const more = { latencyTimes: to / from, sizeTimes: to / from };
    return { failures: 'less', latency: 'more', ...more, calls: 'same' };
  }
  if (limited === 'tries') {
    const tries = { before: Math.max(0, from), after: Math.max(0, to) };
    if (isUp) return { failures: 'same', latency: 'same', calls: 'more', tries };
    return { failures: 'less', latency: 'less', calls: 'less', tries };
  }
  return undefined;
}

const BY_KIND: ReadonlyMap<Pattern['kind'], 'time' | 'tries'> = new Map([
  ['timeout', 'time'],
  ['retries_exhausted', 'tries'],
]);
