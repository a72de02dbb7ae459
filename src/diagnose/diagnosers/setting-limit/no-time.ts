/**
 * What shows that a bare number under a key that says nothing is no time, though failures end where it would: `again: 1` is one second
 * only by chance. Whoever writes the unit of one time of a place writes it for all of them; and a key means one thing, so that it is no
 * time here where calls elsewhere take longer than it would allow. Small whole numbers are everywhere, and so are limits of a second. Pure.
 */
import { shareWithin } from '../../latency-shape.ts';
import { ownershipOf } from '../../ownership.ts';
import type { Failure, Setting } from '../../types.ts';

type Timed = Pick<Failure, 'agent' | 'tool' | 'succeededLatency'>;

interface Around {
  readonly failure: Timed;
  readonly settings: readonly Setting[];
  readonly all: readonly Timed[];
  readonly moved: ReadonlySet<string>;
}

/** A limit that is at work lets next to nothing beyond it; giving up takes time of its own. */
const BEYOND = 1.1;
const BEYOND_SHARE = 0.1;
/** Fewer successes show nothing. */
const SUCCEEDED_MIN = 20;

/** `limitMs`: how long it would be. */
export function isNoTime(
  setting: Setting & { readonly value: number },
  limitMs: number,
  around: Around,
): boolean {
  if (setting.unit !== null) return false;
  const msEach = limitMs / setting.value;
  return hasTimeBeside(setting, around) || isExceededElsewhere(setting, msEach, around);
}

/** Of the same place, for the same agent and tool. */
function hasTimeBeside(setting: Setting, { failure, settings }: Around): boolean {
  const { agent, tool } = failure;
  const owner = ownershipOf(setting, agent, tool);
  return settings.some(
    (one) =>
      one.unit !== null &&
      one.file === setting.file &&
      one.path.length === setting.path.length &&
      one.path.slice(0, -1).join('\n') === setting.path.slice(0, -1).join('\n') &&
      ownershipOf(one, agent, tool) === owner,
  );
}

function isExceededElsewhere(
  setting: Setting,
  msEach: number,
  { settings, all, moved }: Around,
): boolean {
  const keyOf = ({ steps }: Setting) => steps.at(-1)?.key;
  return settings.some(
    (one) =>
      typeof one.value === 'number' &&
      one.unit === null &&
      keyOf(one) === keyOf(setting) &&
      !moved.has(one.file) &&
      all.some(
        (other) =>
          ownershipOf(one, other.agent, other.tool) === 'both' &&
          takesLonger(other, (one.value as number) * msEach),
      ),
  );
}

function takesLonger({ succeededLatency }: Timed, limitMs: number): boolean {
  return (
    limitMs > 0 &&
    succeededLatency !== null &&
    succeededLatency.count >= SUCCEEDED_MIN &&
    shareWithin(succeededLatency, BEYOND * limitMs, Number.POSITIVE_INFINITY) >= BEYOND_SHARE
  );
}
