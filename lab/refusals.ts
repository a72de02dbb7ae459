/** Why a call fails before it does anything: a wrong name, wrong arguments, an expired credential, an input too large. */
import type { ToolSettings } from './agent-file.ts';
import { HOUR_MS, type Run, startMsOf } from './arrivals.ts';
import { holds, type Situation } from './conditions.ts';
import type { Wording } from './schema-parts.ts';
import type { Attempt } from './world.ts';

export interface Refusal {
  readonly code: string;
  readonly wording: Wording;
  readonly named: { readonly limit?: number; readonly argument?: string };
}

/** What a tool takes at a time; undefined where it does not say. */
export function definitionOf({ scenario }: Pick<Run, 'scenario'>, tool: string, atMs: number) {
  const hour = (atMs - startMsOf(scenario)) / HOUR_MS;
  return scenario.world.tools[tool]!.requires?.findLast(({ from_hour }) => hour >= from_hour);
}

export function refusalOf(
  { scenario }: Run,
  tool: string,
  call: {
    settings: ToolSettings;
    allowed: ReadonlySet<string> | undefined;
    situation: Situation;
    attempt: Attempt;
  },
): Refusal | undefined {
  const { settings, allowed, situation, attempt } = call;
  const { calls = tool, inputMax, arguments: given } = settings;
  if (calls !== tool)
    return usual('unknown_tool', '{agent}: there is no tool "{argument}" (call {id})', calls);
  if (allowed !== undefined && !allowed.has(tool))
    return usual('not_allowed', '{agent} may not call "{argument}" (call {id})', tool);
  const hour = (situation.atMs - startMsOf(scenario)) / HOUR_MS;
  const expired = (scenario.world.credentials ?? []).find(
    ({ tools, agents, expires_hour, renewed_hour = Infinity, when }) =>
      tools.includes(tool) &&
      (agents === undefined || agents.includes(situation.agent)) &&
      hour >= expires_hour &&
      hour < renewed_hour &&
      holds(when, situation),
  );
  if (expired !== undefined)
    return { code: expired.code ?? 'unauthorized', wording: expired, named: {} };
  const { too_large } = scenario.world.tools[tool]!;
  const schema = definitionOf({ scenario }, tool, situation.atMs);
  if (schema !== undefined && given !== undefined) {
    const wrong =
      schema.arguments.find((one) => !given.includes(one)) ??
      given.find((one) => !schema.arguments.includes(one));
    if (wrong !== undefined)
      return {
        code: schema.code ?? 'invalid_arguments',
        wording: schema,
        named: { argument: wrong },
      };
  }
  if (inputMax === undefined || attempt.input === undefined || attempt.input <= inputMax)
    return undefined;
  const wording = too_large ?? {
    messages: ['{tool}: the input is over the limit of {limit} (request {id})'],
  };
  return { code: wording.code ?? 'too_large', wording, named: { limit: inputMax } };
}

function usual(code: string, message: string, argument: string): Refusal {
  return { code, wording: { messages: [message] }, named: { argument } };
}
