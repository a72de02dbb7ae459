/**
 * What Hone's changes did to the fleet, against the same world without Hone: the same seed, the same sessions, the
 * same luck. Sessions differ only by what the files and their neighbours do to them, so a small difference is real.
 */
import type { JsonlEvent } from '../src/observe/index.ts';
import { HOUR_MS } from './arrivals.ts';
import { commitsOf, filesWithoutHone } from './commits.ts';
import { Fleet } from './fleet.ts';
import { tasksByAgent } from './rates.ts';
import type { Scenario } from './scenario.ts';

export interface Harmed {
  readonly agent: string;
  /** Shares of its tasks that failed, in the last hours. */
  readonly failed: number;
  readonly without: number;
}

/** The end of a run that is compared: a day has every hour, quiet and busy. */
const LAST_HOURS = 24;
/** Harm worth the name: so much more of an agent's tasks fail, and at least so many. */
const SHARE_MIN = 0.02;
const TIMES_MIN = 1.25;
const TASKS_MIN = 10;

interface Run {
  readonly scenario: Scenario;
  readonly seed: number;
}

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One for each scenario: it is played for one approver after the other, and without Hone nobody approves. */
const KEPT = new WeakMap<Scenario, { readonly of: string; readonly events: JsonlEvent[] }>();

/** The events of a scenario in which Hone changes nothing. */
function eventsWithoutHone(run: Run, stretch: Stretch): readonly JsonlEvent[] {
  const of = [run.seed, stretch.fromMs, stretch.toMs].join();
  const kept = KEPT.get(run.scenario);
  if (kept?.of === of) return kept.events;
  const events = playedWithoutHone(run, stretch);
  KEPT.set(run.scenario, { of, events });
  return events;
}

function playedWithoutHone({ scenario, seed }: Run, { fromMs, toMs }: Stretch): JsonlEvent[] {
  const fleet = new Fleet({ scenario, seed });
  const cuts = commitsOf(scenario).map(({ atMs }) => atMs);
  const edges = [fromMs, ...cuts.filter((atMs) => atMs > fromMs && atMs < toMs), toMs];
  return edges.slice(1).flatMap((edge, index) => {
    const start = edges[index]!;
    return fleet.run({ fromMs: start, toMs: edge, files: filesWithoutHone(scenario, start) });
  });
}

/** The agent that is worst off for what was changed; null where none is. */
export function harmDone(
  run: Run,
  events: readonly JsonlEvent[],
  { sinceMs, endMs }: { readonly sinceMs: number; readonly endMs: number },
): Harmed | null {
  const window = { fromMs: Math.max(sinceMs, endMs - LAST_HOURS * HOUR_MS), toMs: endMs };
  const startMs = Date.parse(run.scenario.start);
  const without = tasksByAgent(eventsWithoutHone(run, { fromMs: startMs, toMs: endMs }), window);
  let worst: Harmed | null = null;
  for (const [agent, now] of tasksByAgent(events, window)) {
    const then = without.get(agent) ?? { tasks: 0, failed: 0 };
    const more = now.failed - then.failed * TIMES_MIN;
    if (more < TASKS_MIN || more < SHARE_MIN * now.tasks) continue;
    const harmed = {
      agent,
      failed: now.failed / Math.max(1, now.tasks),
      without: then.failed / Math.max(1, then.tasks),
    };
    if (worst === null || harmed.failed - harmed.without > worst.failed - worst.without)
      worst = harmed;
  }
  return worst;
}
