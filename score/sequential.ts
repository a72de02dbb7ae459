/**
 * The sequential tests of rates on simulated streams, looked at after every event: how often they
 * raise a false alarm within ten times the oracle's size, and how soon they find a worsening of 25 %.
 * The oracle is a fixed-size test of the same level that knows the effect and has 80 % power. The
 * totals are the worst of all sets. A naive test that repeats a z-test at every look stands beside.
 *
 * After a success the evidence of the one-sided watches can only fall, so looking at every failure is
 * looking at every event; the two-arm trial is run event by event.
 */
import { type Random, seededRandom } from '../src/base/index.ts';
import {
  clopperPearsonInterval,
  normalQuantile,
  RateTrial,
  RateWatch,
} from '../src/stats/index.ts';
import type { Measurement } from '../tools/measure.ts';
import {
  countFailures,
  oracleEvents,
  oracleEventsArms,
  oracleEventsCounted,
  percentile,
  successesBeforeFailure,
} from './metrics/rate-streams.ts';

const STREAMS = 10_000;
const WORSENING = 1.25;
const HORIZON = 10;
const Z_LEVEL = normalQuantile(0.95);

/** One kind of stream: runs once at the given true rate and says when an alarm came, or Infinity. */
interface StreamKind {
  readonly set: string;
  readonly oracle: number;
  readonly rate: number;
  alarmAt(random: Random, trueRate: number): number;
}

export const measurement: Measurement = {
  what: 'sequential tests of rates, looked at after every event, against a fixed-size oracle',
  aims: { false_alarm_upper: '<=0.055', detection_p80_ratio: '<=1.8' },
  async *run(context) {
    const streams = Math.max(100, Math.round(STREAMS * context.scale));
    let worstUpper = 0;
    let worstRatio = 0;
    for (const kind of [
      knownKind(0.01),
      knownKind(0.05),
      knownKind(0.2),
      countedKind(0.05),
      armsKind(0.2),
    ]) {
      context.progress(`${kind.set}: ${streams} streams of ${HORIZON * kind.oracle} events`);
      const quiet = runStreams(kind, { streams, seed: context.seed, trueRate: kind.rate });
      const worse = runStreams(kind, {
        streams,
        seed: context.seed + 1,
        trueRate: kind.rate * WORSENING,
      });
      const falseAlarms = quiet.filter(Number.isFinite).length;
      // 90 % two-sided is a 95 % upper bound.
      const upper = clopperPearsonInterval({ failures: falseAlarms, events: streams }, 0.9).high;
      const ratio = percentile(worse, 0.8) / kind.oracle;
      worstUpper = Math.max(worstUpper, upper);
      worstRatio = Math.max(worstRatio, ratio);
      const { set } = kind;
      yield {
        set,
        metric: 'false_alarm_upper',
        value: upper,
        n: streams,
        note: `${falseAlarms} false alarms`,
      };
      yield {
        set,
        metric: 'detection_p80_ratio',
        value: ratio,
        n: streams,
        note: `oracle ${kind.oracle} events`,
      };
      yield {
        set,
        metric: 'detection_median_ratio',
        value: percentile(worse, 0.5) / kind.oracle,
        n: streams,
      };
    }
    const naive = runStreams(naiveKind(0.05), { streams, seed: context.seed, trueRate: 0.05 });
    const share = naive.filter(Number.isFinite).length / streams;
    yield {
      set: 'naive-z-5%',
      metric: 'naive_false_alarms',
      value: share,
      n: streams,
      note: 'a z-test repeated at every look',
    };
    yield { set: 'total', metric: 'false_alarm_upper', value: worstUpper, n: streams };
    yield { set: 'total', metric: 'detection_p80_ratio', value: worstRatio, n: streams };
  },
};

function runStreams(
  kind: StreamKind,
  options: { streams: number; seed: number; trueRate: number },
): readonly number[] {
  const random = seededRandom(options.seed);
  return Array.from({ length: options.streams }, () => kind.alarmAt(random, options.trueRate));
}

/** Feeds a one-sided watch failure by failure until it alarms or the horizon is reached. */
function feed(
  watch: RateWatch,
  random: Random,
  options: { rate: number; horizon: number },
): number {
  let events = 0;
  for (;;) {
    const successes = successesBeforeFailure(random, options.rate);
    events += successes + 1;
    if (events > options.horizon) return Infinity;
    watch.pushSuccesses(successes);
    if (watch.push(true)) return events;
  }
}

function knownKind(rate: number): StreamKind {
  const oracle = oracleEvents(rate, rate * WORSENING);
  return {
    set: `known-${100 * rate}%`,
    oracle,
    rate,
    alarmAt: (random, trueRate) =>
      feed(new RateWatch({ baseline: { rate } }), random, {
        rate: trueRate,
        horizon: HORIZON * oracle,
      }),
  };
}

/** The baseline is counted anew for each stream, in ten times the events that the known oracle needs. */
function countedKind(rate: number): StreamKind {
  const events = 10 * oracleEvents(rate, rate * WORSENING);
  const oracle = oracleEventsCounted(rate, rate * WORSENING, events);
  return {
    set: `counted-${100 * rate}%`,
    oracle,
    rate,
    alarmAt: (random, trueRate) => {
      const baseline = { failures: countFailures(random, rate, events), events };
      return feed(new RateWatch({ baseline }), random, {
        rate: trueRate,
        horizon: HORIZON * oracle,
      });
    },
  };
}

function armsKind(rate: number): StreamKind {
  const oracle = oracleEventsArms(rate, rate * WORSENING);
  return {
    set: `arms-${100 * rate}%`,
    oracle,
    rate,
    alarmAt: (random, trueRate) => {
      const trial = new RateTrial();
      for (let events = 1; events <= HORIZON * oracle; events++) {
        const treated = random.next() < 0.5;
        const failed = random.next() < (treated ? trueRate : rate);
        if (!trial.push(treated ? 'treatment' : 'control', failed)) continue;
        return trial.status().verdict === 'worse' ? events : Infinity;
      }
      return Infinity;
    },
  };
}

function naiveKind(rate: number): StreamKind {
  const oracle = oracleEvents(rate, rate * WORSENING);
  return {
    set: 'naive',
    oracle,
    rate,
    alarmAt: (random, trueRate) => {
      let events = 0;
      for (let failures = 1; ; failures++) {
        events += successesBeforeFailure(random, trueRate) + 1;
        if (events > HORIZON * oracle) return Infinity;
        const z = (failures - events * rate) / Math.sqrt(events * rate * (1 - rate));
        if (events >= 30 && z > Z_LEVEL) return events;
      }
    },
  };
}
