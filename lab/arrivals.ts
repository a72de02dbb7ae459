/**
 * When sessions begin: a Poisson process whose rate is constant within each hour of the scenario. Every
 * agent's hour is drawn from its own stream, so a session is found again by its id alone.
 */
import { streamOf } from './draws.ts';
import type { AgentTraffic, Scenario } from './scenario-schema.ts';

export const HOUR_MS = 3_600_000;

export interface Session {
  /** `<agent>-<hour of the scenario>-<number within the hour>`, and `~<times>` when it is asked for again. */
  readonly id: string;
  readonly traffic: AgentTraffic;
  readonly startMs: number;
}

/** What both need: the scenario and the seed of one run. */
export interface Run {
  readonly scenario: Scenario;
  readonly seed: number;
}

const STARTS = new WeakMap<Scenario, number>();

/** Read once: every call asks for it, several times. */
export function startMsOf(scenario: Scenario): number {
  let startMs = STARTS.get(scenario);
  if (startMs === undefined) {
    startMs = Date.parse(scenario.start);
    STARTS.set(scenario, startMs);
  }
  return startMs;
}

/** All sessions from a time on, in the order in which they begin. */
export function* sessionsFrom(run: Run, fromMs: number): Generator<Session, void> {
  const { scenario } = run;
  const first = Math.max(0, Math.floor((fromMs - startMsOf(scenario)) / HOUR_MS));
  for (let hour = first; hour < scenario.days * 24; hour++) {
    const sessions = scenario.traffic.agents.flatMap((traffic) => sessionsOf(run, traffic, hour));
    sessions.sort((a, b) => a.startMs - b.startMs);
    for (const session of sessions) if (session.startMs >= fromMs) yield session;
  }
}

export function findSession(run: Run, id: string): Session | undefined {
  const [, agent, hour, number] = /^(.+)-(\d+)-(\d+)(?:~\d+)?$/.exec(id) ?? [];
  const traffic = run.scenario.traffic.agents.find((one) => one.agent === agent);
  if (traffic === undefined || hour === undefined || number === undefined) return undefined;
  if (!/^\d{1,6}$/.test(hour) || Number(hour) >= run.scenario.days * 24) return undefined;
  // One that is asked for again is as the first time.
  const [first] = id.split('~');
  const session = sessionsOf(run, traffic, Number(hour)).find((one) => one.id === first);
  return session && { ...session, id };
}

function sessionsOf(run: Run, traffic: AgentTraffic, hour: number): Session[] {
  const random = streamOf(run.seed, `arrivals ${traffic.agent} ${hour}`);
  const hourStartMs = startMsOf(run.scenario) + hour * HOUR_MS;
  const rate =
    traffic.tasks_per_hour * trafficFactor(run.scenario, traffic.agent, hour, hourStartMs);
  const sessions: Session[] = [];
  const prefix = `${traffic.agent}-${String(hour).padStart(4, '0')}-`;
  for (let at = 0; ; ) {
    at -= Math.log(1 - random.next()) / rate;
    if (at >= 1) return sessions;
    const id = prefix + String(sessions.length + 1).padStart(4, '0');
    sessions.push({ id, traffic, startMs: hourStartMs + Math.floor(at * HOUR_MS) });
  }
}

function trafficFactor(
  { traffic }: Scenario,
  agent: string,
  hour: number,
  hourStartMs: number,
): number {
  const date = new Date(hourStartMs);
  const mean = traffic.hours.reduce((sum, weight) => sum + weight, 0) / 24;
  let factor = traffic.hours[date.getUTCHours()]! / mean;
  if (date.getUTCDay() % 6 === 0) factor *= traffic.weekend;
  factor *= traffic.weekdays?.[date.getUTCDay()] ?? 1;
  for (const { from_hour, lasts_hours, factor: change, agents } of traffic.changes)
    if (hour >= from_hour && hour < from_hour + (lasts_hours ?? Infinity))
      if (agents === undefined || agents.includes(agent)) factor *= change;
  return factor;
}
