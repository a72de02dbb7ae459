/** A shift as a pattern. Nobody knows what it means: people are told, and nothing is proposed for it. */
import { isoTime } from '../../base/index.ts';
import { layerOf, type Measure, type Pattern } from '../../facts/index.ts';
import { isPlainName, writtenName } from '../../text/index.ts';
import { patternId } from '../identity.ts';
import { count } from '../wording.ts';
import { HOUR_MS, type Shift } from './find-shift.ts';
import { type HourSeries, identityOf } from './hour-series.ts';

export interface Found {
  readonly series: HourSeries;
  readonly shift: Shift;
  /** As its events name it; null where they do not. */
  readonly unit: string | null;
  /** Ids of events at the old and the new level. */
  readonly events: readonly string[];
}

/** The cause is not looked for. */
const CONFIDENCE = 0.1;

export function shiftPattern(found: Found): Pattern {
  const { series, shift, unit, events } = found;
  const { event, agent, tool, measure, hours } = series;
  const { before, after, sinceMs, onset, hoursBefore, hoursSince } = shift;
  const impact = Math.abs(after - before) / Math.max(Math.abs(before), Math.abs(after));
  return {
    id: patternId(identityOf(series)),
    title: titleOf(found),
    kind: 'shift',
    event,
    template: '',
    agent,
    tool,
    errorCode: '',
    occurrences: hoursSince,
    calls: hoursBefore + hoursSince,
    sessions: 0,
    firstAtMs: sinceMs,
    lastAtMs: hours.at(-1)!.atMs + HOUR_MS,
    score: hoursSince * impact,
    impact,
    noise: 1,
    severity: 'low',
    layer: layerOf(event),
    confidence: CONFIDENCE,
    reasons: reasonsOf(found),
    evidence: events.map((id) => `event:${id}`),
    subject: { kind: 'unknown' },
    failedLatency: null,
    succeededLatency: null,
    shift: {
      measure,
      unit,
      before,
      after,
      onsetFromMs: onset.fromMs,
      onsetToMs: onset.toMs,
    },
  };
}

const NAMES: Readonly<Record<Measure, string>> = {
  value: '',
  rate: '',
  latency: 'latency of ',
  tokens: 'tokens per call of ',
  cost: 'cost per call of ',
};

/** `latency of web_search of researcher rose from 1.2 s to 3.4 s since 2026-11-12 14:00 UTC` */
function titleOf(found: Found): string {
  const { series, shift } = found;
  const { agent, tool, measure } = series;
  const names = [tool, agent].filter((name) => name !== '').map((name) => writtenName(name, 60));
  const place = names.length === 0 ? writtenName('') : names.join(' of ');
  return `${NAMES[measure]}${place} ${changeWords(found)} since ${minute(shift.sinceMs)}`;
}

/** Of a metric that anybody may have defined nobody knows which direction is the better one. */
function changeWords({ series: { measure }, shift: { before, after, form }, unit }: Found): string {
  const isKnown = measure !== 'value' && measure !== 'rate';
  const did =
    form === 'drift' ? 'drifts' : isKnown ? (after > before ? 'rose' : 'fell') : 'changed';
  const hourly = measure === 'rate' ? ' an hour' : '';
  const [from, to] = [before, after].map((value) => quantity(value, measure, unit));
  return `${did} from ${from} to ${to}${hourly}`;
}

function reasonsOf({ shift }: Found): string[] {
  const { form, onset, hoursBefore, hoursSince, comparedHours } = shift;
  if (form === 'drift')
    return [
      `Day by day it is a little more, or less: the trend of ${count(hoursSince)} measured hours, each compared with the same hour of other days.`,
      'What changes it was not looked for, and whether it is good or bad depends on what it is for.',
    ];
  return [
    `The level is lasting: ${count(hoursSince)} measured hours since, ${count(hoursBefore)} at the one before.`,
    `It began between ${minute(onset.fromMs)} and ${minute(onset.toMs)}.`,
    ...comparisonWords(comparedHours),
    'What changed it was not looked for, and whether it is good or bad depends on what it is for.',
  ];
}

function comparisonWords(comparedHours: readonly number[]): string[] {
  const [day, week] = [comparedHours.includes(24), comparedHours.includes(168)];
  if (day && week)
    return ['The same hours of the day and of the week before were at the old level.'];
  const short = 'the record is too short to rule out that it is the time of the';
  if (day) return [`The same hours of the day before were at the old level; ${short} week.`];
  return [`T${short.slice(1)} day or of the week.`];
}

const minute = (atMs: number) => `${isoTime(atMs).slice(0, 16).replace('T', ' ')} UTC`;

/** `1.2 s`, `$0.014`, `1 240`, `12.5 MB` */
function quantity(value: number, measure: Measure, unit: string | null): string {
  if (measure === 'latency')
    return value < 1000 ? `${digits(value)} ms` : `${digits(value / 1000)} s`;
  if (measure === 'cost') return `$${digits(value)}`;
  return unit !== null && isPlainName(unit) ? `${digits(value)} ${unit}` : digits(value);
}

/** Three that count; none behind the point of a large one. */
function digits(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) < 1000 || Math.abs(rounded) >= 1e15
    ? String(rounded)
    : count(Math.round(value));
}
