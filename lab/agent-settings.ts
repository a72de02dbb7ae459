/**
 * What an agent's files tell it, in whichever files and forms it reads them: how long it waits, how often it tries
 * again, what it asks for. The files may hold anything: what is needed and cannot be read is said in one sentence.
 */
import { type AgentSettings, readAgentFile, type ToolSettings } from './agent-file.ts';
import { durationIn, findPlace, numberIn, shownPlace, type TargetFiles } from './places.ts';
import type { Setting } from './schema-parts.ts';
import type { AgentTraffic, ToolSettingsPlaces } from './traffic-schema.ts';

const TIMEOUT_MS_USUAL = 600_000;

/** Left by throwing inside this file only. */
class Missing extends Error {}

export function resolveSettings(files: TargetFiles, traffic: AgentTraffic): AgentSettings {
  const { agent, file, settings, tasks } = traffic;
  if (file !== undefined) return readAgentFile(files.get(file), { agent, path: file });
  if (settings === undefined) return { ok: false, why: `${agent} has no settings` };
  try {
    const tools = new Map<string, ToolSettings>();
    for (const tool of new Set(tasks.flatMap(({ calls }) => calls)))
      tools.set(tool, toolSettings(files, { ...settings.others, ...settings.tools[tool] }));
    const model = optional(settings.model, (one) => text(files, one));
    const allowed = optional(settings.allowed, (one) => new Set(names(files, one)));
    const stepsMax = optional(settings.max_steps, (one) => count(files, one));
    return { ok: true, tools, model, allowed, stepsMax };
  } catch (error) {
    if (error instanceof Missing) return { ok: false, why: error.message };
    throw error;
  }
}

function toolSettings(files: TargetFiles, places: ToolSettingsPlaces): ToolSettings {
  const ms = (setting: Setting) => amount(files, setting, true);
  const whole = (setting: Setting) => count(files, setting);
  return {
    timeoutMs: optional(places.timeout, ms) ?? TIMEOUT_MS_USUAL,
    retries: Math.min(20, optional(places.retries, whole) ?? 0),
    pauseMs: optional(places.pause, ms),
    concurrency: optional(places.concurrency, whole),
    perMinute: optional(places.rate, whole),
    outputMax: optional(places.max_output, whole),
    inputMax: optional(places.max_input, whole),
    arguments: optional(places.arguments, (one) => names(files, one)),
    calls: optional(places.calls, (one) => text(files, one)),
  };
}

function optional<T>(setting: Setting | undefined, read: (setting: Setting) => T): T | undefined {
  return setting === undefined ? undefined : read(setting);
}

/** The value, and how its first place that exists is to be read. */
function valueIn(files: TargetFiles, setting: Setting) {
  if (typeof setting !== 'object')
    return { value: setting, unit: 'ms', counts: 'retries', where: 'the scenario' } as const;
  const places = Array.isArray(setting) ? setting : [setting];
  for (const place of places) {
    const found = findPlace(files, place);
    if (found === undefined) continue;
    return { value: found.value, unit: place.unit, counts: place.counts, where: shownPlace(place) };
  }
  throw new Missing(`${places.map(shownPlace).join(', ')} cannot be read`);
}

function amount(files: TargetFiles, setting: Setting, isTime: boolean): number {
  const { value, unit, counts, where } = valueIn(files, setting);
  const read = isTime ? durationIn(value, unit) : numberIn(value);
  if (read === undefined || read < 0)
    throw new Missing(`${where} must be a number, found ${JSON.stringify(value)?.slice(0, 40)}`);
  return counts === 'tries' ? Math.max(0, read - 1) : read;
}

/** A number that a file may hold, such as the size of a pool. */
export function count(files: TargetFiles, setting: Setting): number {
  return Math.floor(amount(files, setting, false));
}

function text(files: TargetFiles, setting: Setting): string {
  return String(valueIn(files, setting).value);
}

function names(files: TargetFiles, setting: Setting): string[] {
  const { value } = valueIn(files, setting);
  const items: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? Object.keys(value)
      : String(value).split(',');
  return items
    .map((item) =>
      String(item)
        .trim()
        .replace(/^["']|["']$/g, ''),
    )
    .filter(Boolean);
}
