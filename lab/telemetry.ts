/** What telemetry tells of what the fleet does: how much of a call, which stretches are lost, what is written twice. */
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

interface CallDetails {
  readonly tool: string;
  readonly attempt: number;
  readonly model: string | undefined;
  readonly argumentNames: readonly string[] | undefined;
  /** As the tool's definition has them at this time. */
  readonly parameterNames: readonly string[] | undefined;
  readonly input: number | undefined;
  readonly output: number | undefined;
}

/** What this fleet writes down of a call beside its end. */
export function callDetails({ telemetry, world }: Scenario, call: CallDetails) {
  const { attempts, tokens, cost, models, providers, arguments: hasArguments } = telemetry;
  const { model, input, output, argumentNames, parameterNames } = call;
  const { provider } = world.tools[call.tool]!;
  const price = model === undefined ? undefined : world.models?.[model]?.usd_per_1k_tokens;
  const usd = ((price ?? 0) * ((input ?? 0) + (output ?? 0))) / 1000;
  return {
    ...(attempts && { attempt: call.attempt }),
    ...(tokens && input !== undefined && { input_tokens: input }),
    ...(tokens && output !== undefined && { output_tokens: output }),
    ...(cost && price !== undefined && { cost_usd: Math.round(usd * 1e6) / 1e6 }),
    ...(models && model !== undefined && { model }),
    ...(providers && provider !== undefined && { provider }),
    ...(hasArguments && argumentNames !== undefined && { argument_names: [...argumentNames] }),
    ...(hasArguments && parameterNames !== undefined && { parameter_names: [...parameterNames] }),
  };
}
