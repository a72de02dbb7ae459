/** What of the fleet's events reaches the telemetry: some stretches are lost, some events are written twice. */
import type { JsonlEvent } from '../src/observe/index.ts';
import { HOUR_MS } from './arrivals.ts';
import { streamOf } from './draws.ts';
import { agentOf } from './rates.ts';
import type { Scenario } from './scenario-schema.ts';

export function toldEvents(
  { telemetry, start }: Scenario,
  events: readonly JsonlEvent[],
): readonly JsonlEvent[] {
  const { gaps, duplicates } = telemetry;
  if (gaps.length === 0 && duplicates === 0) return events;
  const startMs = Date.parse(start);
  const isLost = (event: JsonlEvent) => {
    const agent = agentOf(event);
    const hour = (Date.parse(event.timestamp) - startMs) / HOUR_MS;
    return gaps.some(
      ({ from_hour, lasts_minutes, agents }) =>
        hour >= from_hour &&
        hour < from_hour + lasts_minutes / 60 &&
        (agents === undefined || (agent !== undefined && agents.includes(agent))),
    );
  };
  const told = events.filter((event) => !isLost(event));
  if (duplicates === 0) return told;
  return told.flatMap((event) => {
    const draw = streamOf(0, `${event.session_id} ${event.timestamp} ${event.event_type}`).next();
    return draw < duplicates ? [event, event] : [event];
  });
}
