import { describe, expect, it } from 'vitest';
import { ALARM_PROBABILITY, AlarmGate, QUIET_POINTS } from './alarm-gate.ts';

function alarms(probabilities: readonly number[]): readonly number[] {
  const gate = new AlarmGate();
  return probabilities.flatMap((probability, i) => (gate.push(probability) ? [i] : []));
}

describe('the alarm gate', () => {
  it('lets a probability under the threshold through, and not one at it', () => {
    expect(alarms([1, ALARM_PROBABILITY, 0.0029])).toEqual([2]);
  });

  it('raises one alarm for an episode and the next after the quiet time', () => {
    expect(alarms(new Array<number>(QUIET_POINTS + 2).fill(0.001))).toEqual([0, QUIET_POINTS + 1]);
  });

  it('lets what is twenty times rarer break through', () => {
    expect(alarms([0.001, 0.0001, 0.00004, 0.00003, 0.000001])).toEqual([0, 2, 4]);
  });
});
