/**
 * Fleets for the watch in which a deployment changes nothing: two weeks before it and two weeks after. Everything that is
 * watched is drawn, from sessions up: how many there are (with the hour, with weekends, and busier and quieter stretches),
 * what each calls, how long that takes (log-normal; sessions differ, tools get slower and faster for hours), what it costs,
 * what fails and what is corrected.
 */
import type { Random } from '../../src/base/index.ts';
import type { CallHour, CallHours, SessionHours } from '../../src/facts/index.ts';
import { normalQuantile } from '../../src/stats/index.ts';

export const HOUR_MS = 3_600_000;
export const HOURS = 336;
/** A Monday. */
export const START_MS = Date.UTC(2026, 2, 16);
/** Failed calls of a session that goes wrong. */
export const BURST = 2;

const TOOLS_OF_AGENT = 5;

export interface QuietFleet {
  readonly calls: readonly CallHours[];
  readonly sessions: readonly SessionHours[];
}

interface HourOfAgent {
  readonly atMs: number;
  /** -1 at night to 1 by day. */
  readonly day: number;
  readonly sessions: number;
}

/** Agents have five tools each, of as many as there are agents. */
export function quietFleet(random: Random, agents: number): QuietFleet {
  const calls: CallHours[] = [];
  const sessions: SessionHours[] = [];
  const waves = Array.from({ length: agents }, () => wave(random, 0.15 * random.next()));
  for (let at = 0; at < agents; at++) {
    const hours = hoursOfAgent(random);
    sessions.push({ agent: `a${at}`, hours: sessionHours(random, hours) });
    for (let of = 0; of < TOOLS_OF_AGENT; of++) {
      const tool = (at + of) % agents;
      const drawn = callHours(random, hours, waves[tool]!);
      calls.push({ agent: `a${at}`, tool: `t${tool}`, hours: drawn });
    }
  }
  return { calls, sessions };
}

function hoursOfAgent(random: Random): HourOfAgent[] {
  const perHour = logUniform(random, 0.5, 30);
  const swing = 0.8 * random.next();
  const phase = Math.floor(24 * random.next());
  const weekend = 0.2 + 0.8 * random.next();
  const busy = wave(random, 0.2 * random.next());
  return Array.from({ length: 2 * HOURS }, (_, hour) => {
    const atMs = START_MS + (hour - HOURS) * HOUR_MS;
    const day = Math.sin((2 * Math.PI * ((hour + phase) % 24)) / 24);
    const mean = perHour * (1 + swing * day) * (isWeekend(atMs) ? weekend : 1) * busy[hour]!;
    return { atMs, day, sessions: poisson(random, mean) };
  });
}

/** What goes up and down by itself over hours, around 1: the logarithm of each hour is nine tenths of the one before. */
function wave(random: Random, spread: number): Float64Array {
  const keep = 0.9;
  let level = spread * normal(random);
  return Float64Array.from({ length: 2 * HOURS }, () => {
    level = keep * level + Math.sqrt(1 - keep ** 2) * spread * normal(random);
    return Math.exp(level);
  });
}

function sessionHours(random: Random, hours: readonly HourOfAgent[]): SessionHours['hours'] {
  const fails = logUniform(random, 0.005, 0.15);
  const corrected = logUniform(random, 0.002, 0.1);
  const swing = 0.5 * random.next();
  return hours
    .filter(({ sessions }) => sessions > 0)
    .map(({ atMs, day, sessions }) => ({
      atMs,
      sessions,
      failed: binomial(random, sessions, fails * (1 + swing * day)),
      corrected: binomial(random, sessions, corrected * (1 + swing * day)),
    }));
}

function callHours(
  random: Random,
  hours: readonly HourOfAgent[],
  slowness: Float64Array,
): CallHour[] {
  const perSession = logUniform(random, 0.3, 4);
  const failing = logUniform(random, 0.005, 0.1);
  const [failSwing, slowSwing] = [0.5 * random.next(), 0.4 * random.next()];
  const tookMs = logUniform(random, 200, 20_000);
  const [ofSession, ofCall] = [0.5 * random.next(), 0.3 + 0.9 * random.next()];
  const hasTokens = random.next() < 0.5;
  const price = logUniform(random, 1e-6, 3e-5);
  const isLonger = random.next() < 0.3;
  return hours.flatMap(({ atMs, day, sessions }, hour): CallHour[] => {
    const usual = tookMs * (1 + slowSwing * day) * slowness[hour]!;
    let [calls, latency, tokens] = [0, 0, 0];
    for (let session = 0; session < sessions; session++) {
      const kind = Math.exp(ofSession * normal(random));
      // In some agents what takes longer is also done more often.
      const made = poisson(random, perSession * (isLonger ? kind : 1));
      calls += made;
      for (let call = 0; call < made; call++) {
        latency += usual * kind * Math.exp(ofCall * normal(random));
        if (hasTokens) tokens += Math.round(800 * kind * Math.exp(ofCall * normal(random)));
      }
    }
    if (calls === 0) return [];
    const rate = failing * (1 + failSwing * day);
    const failed = Math.min(calls, BURST * poisson(random, (calls * rate) / BURST));
    const well = calls - failed;
    return [
      {
        atMs,
        calls,
        failed,
        timed: calls,
        latencySumMs: latency,
        timedWell: well,
        latencyWellMs: (latency * well) / calls,
        tokens,
        costUsd: tokens * price,
      },
    ];
  });
}

export function isWeekend(atMs: number): boolean {
  return [0, 6].includes(new Date(atMs).getUTCDay());
}

export const logUniform = (random: Random, low: number, high: number) =>
  low * (high / low) ** random.next();

/** Box and Muller's, of which one half is enough. */
const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Knuth's for small means, the normal limit for large ones. */
export function poisson(random: Random, mean: number): number {
  if (mean > 30)
    return Math.max(
      0,
      Math.round(mean + Math.sqrt(mean) * normalQuantile(1e-12 + random.next() * (1 - 2e-12))),
    );
  let [count, product] = [0, random.next()];
  for (const limit = Math.exp(-mean); product > limit; product *= random.next()) count += 1;
  return count;
}

export function binomial(random: Random, events: number, rate: number): number {
  let count = 0;
  for (let at = 0; at < events; at++) if (random.next() < rate) count += 1;
  return count;
}
