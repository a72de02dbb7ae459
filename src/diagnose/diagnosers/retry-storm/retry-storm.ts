/** Blames too many tries: failures that follow from the load that tries after failures make. */

import type { PlaceBin } from '../../../facts/index.ts';
import { courseOf } from '../../course.ts';
import { quantileMs } from '../../latency-shape.ts';
import { stormOf } from '../../retry-storm.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import { triesSettings } from '../../tries-setting.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
} from '../../types.ts';
import { percent } from '../../wording.ts';

const CONFIDENCE = 0.9;

const TOTAL = 0.98;
const FAST = 0.1;

/**
 * Whether every call is refused at once: a tool that is full serves those it is full of, and one on its knees keeps them
 * waiting. Then load is not why.
 */
function isShut({ history, failedLatency }: Failure, { failureShare }: Evidence): boolean {
  const { kind, during } = courseOf(history, failureShare);
  if (kind === 'ended' || during < TOTAL || failedLatency === null) return false;
  const sum = (of: (bin: PlaceBin) => number) => history.reduce((n, bin) => n + of(bin), 0);
  const usualMs =
    sum(({ timedMs }) => timedMs) /
    Math.max(
      1,
      sum(({ timed }) => timed),
    );
  return quantileMs(failedLatency, 0.9) < FAST * usualMs;
}

export const retryStorm: Diagnoser = {
  name: 'retry-storm',
  explain(failure, evidence) {
    const { event = 'tool_call', tool } = failure;
    if (event !== 'tool_call' || tool === '' || isShut(failure, evidence)) return [];
    return triesSettings(evidence, failure)
      .flatMap(({ setting, retries }): Cause[] => {
        const storm = stormOf(failure, { retries, windowFromMs: evidence.window.fromMs });
        if (storm === undefined) return [];
        const { now, then, fewer, againShare } = storm;
        const value = Number(setting.value) - (retries - fewer);
        const what = `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}`;
        const text = `${what}: ${percent(againShare)} of the calls of the tool are tries after a failure, and more fail the more calls it gets. Each call of this agent is tried ${now.tries.toFixed(1)} times, and ${percent(now.lost)} are lost; with ${fewer} tries after a failure, once the tool has recovered, it would be about ${then.tries.toFixed(1)} times and ${percent(then.lost)}.`;
        return [
          {
            subject: {
              ...settingSubject(setting, failure, evidence),
              limits: 'tries',
              aim: { value, why: text },
            },
            layer: 'settings',
            confidence: CONFIDENCE,
            reasons: [{ text, events: failure.examples.map(({ id }) => id) }],
            against: [],
          },
        ];
      })
      .slice(0, CAUSES_MAX);
  },
};
