/**
 * Which recorded calls a changed value is the time limit of. The recordings say it, not the value's name: calls that last so
 * long end there, failed, and hardly one lasts longer. Its place says whose it may be; where that names no tool, the
 * recordings alone decide. Pure.
 */
import type { Quantity } from '../../document/index.ts';
import type { ValidateSettings } from '../types.ts';
import { type ChangedValue, plainName } from './changed-values.ts';
import type { RecordedCall } from './recorded-calls.ts';

export interface TimeLimit {
  readonly fromMs: number;
  readonly toMs: number;
  /** How much later than told calls are given up, as was recorded: a factor. */
  readonly lateBy: number;
}

/** Up to here a call that failed counts as given up at the limit: a timer fires late, and giving up takes a little. */
const GIVEN_UP_BY = 1.12;

const UNIT_MS: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, 'ms msec msecs millis millisecond milliseconds'],
      [1000, 's sec secs second seconds'],
      [60_000, 'm min mins minute minutes'],
      [3_600_000, 'h hr hrs hour hours'],
    ] as const
  ).flatMap(([ms, names]) => names.split(' ').map((name) => [name, ms] as const)),
);
/** Of a number without a unit: the recordings show which it is. */
const BARE_UNITS_MS = [1, 1000, 60_000];

export const isGivenUp = ({ ok, latencyMs }: RecordedCall, limitMs: number): boolean =>
  !ok && latencyMs !== null && latencyMs >= limitMs && latencyMs <= limitMs * GIVEN_UP_BY;

/** Undefined where nothing recorded shows that it is one. */
export function timeLimitOf(
  value: ChangedValue,
  calls: readonly RecordedCall[],
  { significance }: Pick<ValidateSettings, 'significance'>,
): { readonly limit: TimeLimit; readonly applies: (call: RecordedCall) => boolean } | undefined {
  const own = calls.filter(ownerTest(value, calls));
  for (const unitMs of unitsMs(value)) {
    const [fromMs, toMs] = [amountMs(value.from, unitMs), amountMs(value.to, unitMs)];
    if (toMs === undefined || fromMs === undefined || fromMs <= 0) continue;
    const byPlace = Map.groupBy(own, placeOf);
    const shown = [...byPlace].flatMap(([place, made]) =>
      isShown(made, fromMs, significance) ? [place] : [],
    );
    if (shown.length === 0) continue;
    // Elsewhere it is one as far as nothing speaks against it.
    const borne = [...byPlace].flatMap(([place, made]) =>
      isBorne(made, fromMs, significance) ? [place] : [],
    );
    const places = new Set([...shown, ...borne]);
    const givenUp = own.filter((call) => isGivenUp(call, fromMs));
    const late = givenUp.map(({ latencyMs }) => latencyMs! / fromMs).sort((a, b) => a - b);
    return {
      limit: { fromMs, toMs, lateBy: late[Math.floor(late.length / 2)]! },
      applies: (call) => places.has(placeOf(call)),
    };
  }
  return undefined;
}

const placeOf = ({ agent, tool }: RecordedCall) => JSON.stringify([agent, tool]);

/**
 * By the names on the way to the value: those that are a recorded tool's or agent's say whose it is. What is named beside the way
 * has values of its own, even if they are the same.
 */
function ownerTest({ names, beside }: ChangedValue, calls: readonly RecordedCall[]) {
  const isNamed = (name: string | null) => name !== null && names.has(plainName(name));
  const isBeside = (name: string | null) =>
    name !== null && beside.has(plainName(name)) && !isNamed(name);
  const [namesTool, namesAgent] = [
    calls.some(({ tool }) => isNamed(tool)),
    calls.some(({ agent }) => isNamed(agent)),
  ];
  return ({ agent, tool }: RecordedCall) =>
    (!namesTool || isNamed(tool)) &&
    (!namesAgent || isNamed(agent)) &&
    !isBeside(tool) &&
    !isBeside(agent);
}

function unitsMs({ from }: ChangedValue): readonly number[] {
  if (from.unit === null) return BARE_UNITS_MS;
  const ms = UNIT_MS.get(from.unit);
  return ms === undefined ? [] : [ms];
}

/** A number that lost its unit, or got another one, means what its reader makes of it: nothing is assumed. */
function amountMs({ amount, unit }: Quantity, bareMs: number): number | undefined {
  if (unit === null) return amount * bareMs;
  const ms = UNIT_MS.get(unit);
  return ms === undefined ? undefined : amount * ms;
}

/** Calls that last as long as the limit, or longer: given up there, or not. */
function around(calls: readonly RecordedCall[], limitMs: number) {
  const givenUp = calls.filter((call) => isGivenUp(call, limitMs)).length;
  const past = calls.filter(({ latencyMs }) => (latencyMs ?? 0) > limitMs * GIVEN_UP_BY).length;
  return { givenUp, past };
}

/** So many as would not all have failed by chance, were it even odds; and hardly any that last longer. */
function isShown(calls: readonly RecordedCall[], limitMs: number, significance: number): boolean {
  const { givenUp, past } = around(calls, limitMs);
  return 0.5 ** givenUp <= 1 - significance && past <= (1 - significance) * givenUp;
}

function isBorne(calls: readonly RecordedCall[], limitMs: number, significance: number): boolean {
  return around(calls, limitMs).past <= (1 - significance) * calls.length;
}
