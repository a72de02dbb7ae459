/**
 * What one attempt of one call meets in the world: how long it would take and which failure it would run
 * into. It depends on the seed and on which attempt of which session it is, and on the conditions that a scenario
 * names; not on what others do. So another version of the files can be tried on the very same session. For
 * the same reason the world of a session is that of the moment it began.
 */
import type { Random } from '../src/base/index.ts';
import { HOUR_MS, type Run, type Session, startMsOf } from './arrivals.ts';
import { holds, type Situation } from './conditions.ts';
import { drawNormal, pickByRate, streamOf } from './draws.ts';
import type { ErrorKind, ToolWorld } from './scenario-schema.ts';
import type { Latency } from './world-schema.ts';

const LATENCY_MS_MAX = 600_000;

export interface Attempt {
  /** With the tool to itself. */
  readonly latencyMs: number;
  /** The tool's failure, seen when its answer would have come. */
  readonly toolError: ErrorKind | undefined;
  /** The agent's own failure, before the tool is reached. */
  readonly ownError: ErrorKind | undefined;
  /** How late a timeout is noticed, and how long the agent thinks: shares from 0 to 1. */
  readonly lateness: number;
  readonly thinking: number;
  /** In tokens; undefined where the scenario says nothing about sizes. */
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** For the message only: how much is drawn from it changes nothing else. */
  readonly random: Random;
}

interface Try {
  readonly session: Session;
  readonly tool: string;
  /** Which call of the task and which try of it, from 0. */
  readonly call: number;
  readonly retry: number;
  readonly situation: Situation;
}

export function attemptName({ session, call, retry }: Pick<Try, 'session' | 'call' | 'retry'>) {
  return `${session.id} ${call} ${retry}`;
}

export function meet({ scenario, seed }: Run, tried: Try): Attempt {
  const { session, tool, situation } = tried;
  const world = scenario.world.tools[tool]!;
  const random = streamOf(seed, attemptName(tried));
  const normal = drawNormal(random);
  const kindDraw = random.next();
  const hour = (session.startMs - startMsOf(scenario)) / HOUR_MS;
  const { latencyFactor, sizeFactor, errors } = worldAt(world, hour);
  const model =
    situation.model === undefined ? undefined : scenario.world.models?.[situation.model];
  const ownErrors =
    model === undefined ? session.traffic.noise : [...session.traffic.noise, ...model.errors];
  const drawError = (some: readonly ErrorKind[], draw: number) =>
    pickByRate(
      some.filter(({ when }) => holds(when, situation)),
      draw,
    );
  const latency = latencyOf(kindOf(world, kindDraw, situation.task), normal);
  const toolError = drawError(errors, random.next());
  const ownError = drawError(ownErrors, random.next());
  return {
    latencyMs: Math.min(LATENCY_MS_MAX, latency * latencyFactor * (model?.latency_factor ?? 1)),
    toolError:
      stickyError(seed, tried, errors) ?? (toolError?.sticky === true ? undefined : toolError),
    ownError,
    lateness: random.next(),
    thinking: random.next(),
    ...sizesOf(seed, tried, world, {
      input: sizeFactor,
      output: sizeFactor * (model?.output_factor ?? 1),
    }),
    random,
  };
}

function kindOf(world: ToolWorld, draw: number, task: string): Latency {
  if (world.slow !== undefined && draw < world.slow.share) return world.slow;
  let upTo = 0;
  for (const kind of world.kinds ?? []) {
    if (kind.tasks !== undefined && !kind.tasks.includes(task)) continue;
    upTo += kind.share;
    if (draw < upTo) return kind;
  }
  return world.latency;
}

function latencyOf({ median_ms, sigma, family }: Latency, normal: number): number {
  if (family === undefined || family === 'lognormal') return median_ms * Math.exp(sigma * normal);
  // The share of the normal distribution below it, by the logistic curve that is nearest to it.
  const draw = 1 / (1 + Math.exp(-1.702 * normal));
  if (family === 'uniform') return median_ms * (1 + sigma * (2 * draw - 1));
  return (median_ms / 2) * (1 - Math.log(1 - draw) / Math.LN2);
}

/** One draw for all tries of a call. */
function stickyError(
  seed: number,
  { session, call, situation }: Try,
  errors: readonly ErrorKind[],
) {
  const sticky = errors.filter(({ sticky, when }) => sticky === true && holds(when, situation));
  if (sticky.length === 0) return undefined;
  return pickByRate(sticky, streamOf(seed, `${session.id} ${call} sticky`).next());
}

function sizesOf(
  seed: number,
  { session, call }: Try,
  { input_tokens: input, output_tokens: output }: ToolWorld,
  factors: { readonly input: number; readonly output: number },
) {
  if (input === undefined && output === undefined) return { input: undefined, output: undefined };
  const random = streamOf(seed, `${session.id} ${call} size`);
  const [first, second] = [drawNormal(random), drawNormal(random)];
  return {
    input: input && Math.round(input.median * Math.exp(input.sigma * first) * factors.input),
    output: output && Math.round(output.median * Math.exp(output.sigma * second) * factors.output),
  };
}

function worldAt(world: ToolWorld, hour: number) {
  const changes = world.changes.filter(
    ({ from_hour, lasts_minutes }) =>
      hour >= from_hour && hour < from_hour + (lasts_minutes ?? Infinity) / 60,
  );
  if (changes.length === 0) return { latencyFactor: 1, sizeFactor: 1, errors: world.errors };
  const grown = changes.map((change) => ({
    ...change,
    by:
      change.ramp_hours === undefined
        ? 1
        : Math.min(1, (hour - change.from_hour) / change.ramp_hours),
  }));
  const product = (of: (change: (typeof grown)[number]) => number) =>
    grown.reduce((all, change) => all * (1 + (of(change) - 1) * change.by), 1);
  return {
    latencyFactor: product(({ latency_factor }) => latency_factor),
    sizeFactor: product(({ size_factor }) => size_factor ?? 1),
    errors: [
      ...world.errors,
      ...grown.flatMap(({ errors, by }) =>
        by === 1 ? errors : errors.map((error) => ({ ...error, rate: error.rate * by })),
      ),
    ],
  };
}
