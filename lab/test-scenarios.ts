/** For tests: events of a stretch of a scenario, on edited files, and what is counted in them. */
import type { JsonlEvent } from '../src/observe/index.ts';
import { HOUR_MS } from './arrivals.ts';
import { Fleet, type TargetFiles } from './fleet.ts';
import { firstFiles, type Scenario } from './scenario.ts';

/** The target with the first `from` in one file made `to`. */
export function editedFiles(
  scenario: Scenario,
  edit: { file: string; from: string | RegExp; to: string },
): TargetFiles {
  const files = new Map(firstFiles(scenario));
  const text = files.get(edit.file)!;
  const edited = text.replace(edit.from, edit.to);
  if (edited === text) throw new Error(`nothing to edit in ${edit.file}`);
  return files.set(edit.file, edited);
}

export interface Stretch {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly files?: TargetFiles;
  readonly fromHour?: number;
  readonly hours: number;
}

export function eventsOf({ scenario, seed, files, fromHour = 0, hours }: Stretch): JsonlEvent[] {
  const fromMs = Date.parse(scenario.start) + fromHour * HOUR_MS;
  const fleet = new Fleet({ scenario, seed });
  return fleet.run({
    fromMs,
    toMs: fromMs + hours * HOUR_MS,
    files: files ?? firstFiles(scenario),
  });
}

export type Call = Extract<JsonlEvent, { event_type: 'tool_call' }>;

export function callsOf(
  events: readonly JsonlEvent[],
  isCounted: (call: Call) => boolean = () => true,
): Call[] {
  return events.filter(
    (event): event is Call => event.event_type === 'tool_call' && isCounted(event),
  );
}

/** The share of calls that failed, with this code where one is given. */
export function failedShare(calls: readonly Call[], code?: string): number {
  const failed = calls.filter(
    (call) => !call.success && (code ?? call.error_code) === call.error_code,
  );
  return failed.length / calls.length;
}

/** The hour of the day, UTC. */
export function hourOfDay({ timestamp }: { readonly timestamp: string }): number {
  return Number(timestamp.slice(11, 13));
}
