/**
 * What one attempt of one call meets in the world: how long it would take and which failure it would run
 * into. It depends on the seed and on which attempt of which session it is, on nothing else: not on
 * the target's files, not on what others do. So another version of the files can be tried on the very
 * same session. For the same reason the world of a session is that of the moment it began.
 */
import type { Random } from '../src/base/index.ts';
import { HOUR_MS, type Run, type Session } from './arrivals.ts';
import { drawNormal, pickByRate, streamOf } from './draws.ts';
import type { ErrorKind, ToolWorld } from './scenario-schema.ts';

const LATENCY_MS_MAX = 600_000;

interface Attempt {
  /** With the tool to itself. */
  readonly latencyMs: number;
  /** The tool's failure, seen when its answer would have come. */
  readonly toolError: ErrorKind | undefined;
  /** The agent's own failure, before the tool is reached. */
  readonly ownError: ErrorKind | undefined;
  /** How late a timeout is noticed, and how long the agent thinks: shares from 0 to 1. */
  readonly lateness: number;
  readonly thinking: number;
  /** For the message only: how much is drawn from it changes nothing else. */
  readonly random: Random;
}

interface Try {
  readonly session: Session;
  readonly tool: string;
  /** Which call of the task and which try of it, from 0. */
  readonly call: number;
  readonly retry: number;
}

export function meet({ scenario, seed }: Run, { session, tool, call, retry }: Try): Attempt {
  const world = scenario.world.tools[tool]!;
  const random = streamOf(seed, `${session.id} ${call} ${retry}`);
  const normal = drawNormal(random);
  const isSlow = random.next() < (world.slow?.share ?? 0);
  const { median_ms, sigma } = isSlow ? world.slow! : world.latency;
  const hour = (session.startMs - Date.parse(scenario.start)) / HOUR_MS;
  const { latencyFactor, errors } = worldAt(world, hour);
  return {
    latencyMs: Math.min(LATENCY_MS_MAX, median_ms * Math.exp(sigma * normal) * latencyFactor),
    toolError: pickByRate(errors, random.next()),
    ownError: pickByRate(session.traffic.noise, random.next()),
    lateness: random.next(),
    thinking: random.next(),
    random,
  };
}

function worldAt(world: ToolWorld, hour: number) {
  const changes = world.changes.filter(
    ({ from_hour, lasts_minutes }) =>
      hour >= from_hour && hour < from_hour + (lasts_minutes ?? Infinity) / 60,
  );
  if (changes.length === 0) return { latencyFactor: 1, errors: world.errors };
  return {
    latencyFactor: changes.reduce((product, change) => product * change.latency_factor, 1),
    errors: [...world.errors, ...changes.flatMap((change) => change.errors)],
  };
}
