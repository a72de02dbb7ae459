/** Whether a scenario came out as it should, judged by the files and by what the fleet did. Pure. */
import type { JsonlEvent } from '../src/observe/index.ts';
import { getIn, readPlainYaml } from './agent-file.ts';
import type { Change } from './play.ts';
import type { Scenario } from './scenario.ts';

const HOUR_MS = 3_600_000;

export interface Judged {
  /** As expected. */
  readonly ok: boolean;
  /** In one plain sentence. */
  readonly why: string;
  /** Times the target's files changed. */
  readonly changes: number;
  /** A change that hurts, or was not to be made, is in place at the end. */
  readonly harmLeft: boolean;
  /** From the beginning to the change that stayed; null when none did. */
  readonly hoursToImprovement: number | null;
}

export interface JudgeInput {
  readonly scenario: Scenario;
  readonly changes: readonly Change[];
  readonly events: readonly JsonlEvent[];
  readonly startMs: number;
  readonly endMs: number;
}

export function judge(input: JudgeInput): Judged {
  const { scenario, changes } = input;
  const isFirst = sameFiles(changes[0]!.files, changes.at(-1)!.files);
  const common = { changes: changes.length - 1, hoursToImprovement: null };
  switch (scenario.expect.outcome) {
    case 'untouched': {
      const ok = changes.length === 1;
      const why = ok ? 'nothing was changed' : 'a healthy fleet was changed';
      return { ...common, ok, why, harmLeft: !isFirst };
    }
    case 'taken_back': {
      const why = !isFirst
        ? 'a change that hurts was left in place'
        : changes.length === 1
          ? 'nothing was deployed'
          : 'the change was taken back';
      return { ...common, ok: isFirst, why, harmLeft: !isFirst };
    }
    case 'fixed':
      return { ...common, ...judgeFix(input, scenario.expect) };
  }
}

type FixExpected = Extract<Scenario['expect'], { outcome: 'fixed' }>;

function judgeFix(
  { changes, events, startMs, endMs }: JudgeInput,
  expected: FixExpected,
): Omit<Judged, 'changes'> {
  const first = numberAt(changes[0]!.files, expected);
  const last = numberAt(changes.at(-1)!.files, expected);
  const moved =
    first !== undefined &&
    last !== undefined &&
    (expected.direction === 'up' ? last > first : last < first);
  if (!moved) {
    return no(`${expected.path.join('.')} is ${last ?? 'gone'}, as before`, changes.length > 1);
  }
  const { atMs } = changes.at(-1)!;
  const hours = (atMs - startMs) / HOUR_MS;
  if (hours > expected.within_hours) return no(`fixed only after ${hours.toFixed(1)} hours`, false);
  const rate = errorRate(events, expected, { fromMs: atMs, toMs: endMs });
  if (rate >= expected.error_rate_below) {
    const percent = (rate * 100).toFixed(1);
    return no(`${expected.tool} still fails ${percent} % of the time`, false);
  }
  const why = `${first} became ${last}; ${(rate * 100).toFixed(2)} % fail after it`;
  return { ok: true, why, harmLeft: false, hoursToImprovement: hours };
}

function no(why: string, harmLeft: boolean): Omit<Judged, 'changes'> {
  return { ok: false, why, harmLeft, hoursToImprovement: null };
}

/** The share of an agent's calls of a tool that failed. */
function errorRate(
  events: readonly JsonlEvent[],
  place: { readonly agent: string; readonly tool: string },
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  let calls = 0;
  let failed = 0;
  for (const event of events) {
    if (event.event_type !== 'tool_call') continue;
    if (event.agent !== place.agent || event.tool !== place.tool) continue;
    const atMs = Date.parse(event.timestamp);
    if (atMs < fromMs || atMs >= toMs) continue;
    calls += 1;
    if (!event.success) failed += 1;
  }
  return calls === 0 ? 1 : failed / calls;
}

function numberAt(
  files: ReadonlyMap<string, string>,
  { file, path }: FixExpected,
): number | undefined {
  const reading = readPlainYaml(files.get(file) ?? '');
  const value = reading.ok ? getIn(reading.value, path) : undefined;
  return typeof value === 'number' ? value : undefined;
}

export function sameFiles(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}
