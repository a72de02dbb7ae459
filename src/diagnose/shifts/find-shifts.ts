/**
 * Which measures are at another level than before (DIAG-3). All series of a look share one budget: of what is told at
 * most one in twenty is chance, however many series there are.
 */
import { nextTurn } from '../../base/index.ts';
import type { MetricHours, Pattern, UnitHours, Window } from '../../facts/index.ts';
import { benjaminiHochberg, fairShare } from '../../stats/index.ts';
import type { PassedOver } from '../types.ts';
import { findDrift } from './find-drift.ts';
import { findShift, HOUR_MS, type Shift } from './find-shift.ts';
import { type HourSeries, isRatio, metricSeries, unitSeries } from './hour-series.ts';
import { shiftPattern } from './shift-pattern.ts';
import { movingTogether, togetherWords } from './together.ts';

/** OBS-7's longest window: two of every hour of a week, so that a week is compared with the one before. */
const RECORD_MS = 14 * 24 * HOUR_MS;
/** A series of two weeks takes about 10 ms; nobody waits longer than some seconds for this part of a look. */
const SERIES_MAX = 300;
/** Of one look. More at once are one event that shows everywhere. */
const TOLD_MAX = 20;
/** Events that show the old level, and the new one. */
const EVENTS_EACH = 5;
/** DIAG-3's threshold: the expected share of chance among what is told. */
const FALSE_SHARE = 0.05;

/** What is asked of telemetry. */
export interface ShiftPorts {
  metrics(window: Window): Promise<readonly MetricHours[]>;
  unitHours(window: Window): Promise<readonly UnitHours[]>;
  examples(
    place: Pick<HourSeries, 'event' | 'agent' | 'tool'>,
    hourMs: number,
    limit: number,
  ): Promise<
    readonly { readonly id: string; readonly event: { readonly unit?: string } | object }[]
  >;
}

export interface Shifts {
  /** The largest first. */
  readonly told: readonly Pattern[];
  readonly passedOver: readonly PassedOver[];
  readonly notes: readonly string[];
}

interface Sure {
  readonly series: HourSeries;
  readonly shift: Shift;
  readonly pValue: number;
}

/** Of the measures that came in the window, by the record up to its end. */
export async function findShifts(window: Window, ports: ShiftPorts): Promise<Shifts> {
  // The hour that is not over yet would look like a fall of everything that is counted.
  const toMs = Math.floor(window.toMs / HOUR_MS) * HOUR_MS;
  const record = { fromMs: toMs - RECORD_MS, toMs };
  const all = [
    ...(await ports.metrics(record)).map(metricSeries),
    ...(await ports.unitHours(record)).flatMap(unitSeries),
  ].filter(({ hours }) => (hours.at(-1)?.atMs ?? 0) + HOUR_MS > window.fromMs);
  const { kept, folded } = fairShare(all, {
    max: SERIES_MAX,
    worth: ({ hours }) => hours.length,
    owners: [({ agent }) => [agent]],
  });
  const sure = await sureOnes(kept);
  const told: Pattern[] = [];
  for (const one of sure.slice(0, TOLD_MAX)) told.push(await patternOf(one, ports));
  const left = sure.slice(TOLD_MAX).map((one) => shiftPattern({ ...one, unit: null, events: [] }));
  const why = `one look tells ${TOLD_MAX} shifts, and others are surer`;
  return {
    told,
    passedOver: left.map(({ title }) => ({ title, why })),
    notes: [
      ...(await movingTogether(kept)).map(togetherWords),
      ...(folded.length === 0
        ? []
        : [
            `${SERIES_MAX} of ${all.length} measures were looked at for shifts, each agent's longest first.`,
          ]),
    ],
  };
}

/** The surest first. */
async function sureOnes(all: readonly HourSeries[]): Promise<Sure[]> {
  const tested: TestedSeries[] = [];
  for (const series of all) {
    const answer = findShift(series.hours, isRatio(series.measure));
    if (answer !== undefined) tested.push({ series, ...answer });
    await nextTurn();
  }
  const shifted = surest(tested);
  // A step is also a trend: only what is at no new level may drift. Each kind has a budget of its own.
  const isShifted = new Set(shifted.map(({ series }) => series));
  const drifting: typeof tested = [];
  for (const series of all) {
    const answer = isShifted.has(series)
      ? undefined
      : findDrift(series.hours, isRatio(series.measure));
    if (answer !== undefined) drifting.push({ series, ...answer });
    await nextTurn();
  }
  return [...shifted, ...surest(drifting)].sort((a, b) => a.pValue - b.pValue);
}

type TestedSeries = Omit<Sure, 'shift'> & { readonly shift: Shift | undefined };

function surest(tested: readonly TestedSeries[]): Sure[] {
  const { found } = benjaminiHochberg(
    tested.map(({ pValue }) => pValue),
    FALSE_SHARE,
  );
  return tested.flatMap(({ shift, ...rest }, at) =>
    shift !== undefined && found[at] ? [{ shift, ...rest }] : [],
  );
}

async function patternOf({ series, shift }: Sure, ports: ShiftPorts): Promise<Pattern> {
  const oldMs = (series.hours.findLast(({ atMs }) => atMs < shift.sinceMs) ?? series.hours[0]!)
    .atMs;
  const newMs = series.hours.at(-1)!.atMs;
  const examples = [
    ...(await ports.examples(series, oldMs, EVENTS_EACH)),
    ...(await ports.examples(series, newMs, EVENTS_EACH)),
  ];
  const event = examples.at(-1)?.event;
  const unit = event !== undefined && 'unit' in event ? (event.unit ?? null) : null;
  return shiftPattern({ series, shift, unit, events: examples.map(({ id }) => id) });
}
