/**
 * Data points as `metric` events.
 *
 * | point | events |
 * |---|---|
 * | gauge, sum since the last time, sum that also falls | `name` |
 * | sum since the program began that only grows, count of such a histogram | the same name; its value is a running total, of which what is new is counted (`running-totals.ts`) |
 * | histogram, summary | `name.count`, `name.mean`, and `name.max` where it is told; `name.mean.total` and `name.max.total` since the program began |
 *
 * The kind of token that a point counts is part of the name (`claude_code.token.usage.input`): sums over all kinds say
 * nothing. Other attributes are left out: points that differ only in them add up under one name.
 */
import { sha256 } from '../../../base/index.ts';
import type { Event } from '../../../facts/index.ts';
import type { RunningTotal } from '../../running-totals.ts';
import type { Decoded } from '../../types.ts';
import { Attributes } from './attributes.ts';
import { boundedName, known } from './bounds.ts';
import type { MetricPoint } from './model.ts';
import { agentOf, commonOf } from './who.ts';
import { type Fields, msOfNanos, numberOf } from './wire.ts';

/** `DataPointFlags.NO_RECORDED_VALUE`. */
const NO_VALUE = 1;

export function pointRecords(one: MetricPoint, receivedMs: number | null): Decoded[] {
  const { point } = one;
  const name = nameOf(one);
  const atMs = msOfNanos(point['timeUnixNano']) ?? receivedMs;
  if (name === undefined) return [refused('A metric has no name.')];
  if (atMs === null) return [refused('A data point has no time.')];
  if (((numberOf(point['flags']) ?? 0) & NO_VALUE) !== 0) return [];
  const values = one.type === 'gauge' || one.type === 'sum' ? single(one) : summed(point);
  if (values.length === 0) return [refused('A data point has no value.')];
  const attributes = Attributes.ofList(point['attributes']);
  const common = commonOf(attributes, one, {});
  const unit = one.unit === '1' ? undefined : boundedName(one.unit);
  return values.map(({ suffix, value }) => ({
    ok: true,
    ...(isRunning(one, suffix) && { total: totalOf(one, attributes, suffix) }),
    event: known<Extract<Event, { kind: 'metric' }>>({
      kind: 'metric',
      ...common,
      atMs,
      agent: agentOf(attributes, one),
      name: boundedName(`${name}${suffix}${sinceStart(one, suffix)}`) ?? name,
      value,
      unit: suffix === '.count' ? undefined : unit,
      isSum: isRunning(one, suffix) || isAdded(one, suffix) ? true : undefined,
    }),
  }));
}

const isCount = ({ type }: MetricPoint, suffix: string) =>
  suffix === '.count' && type !== 'summary';

/** What came since the last point. */
function isAdded(one: MetricPoint, suffix: string): boolean {
  return !one.isCumulative && (one.type === 'sum' || isCount(one, suffix));
}

/** What came since the program began, and only grows. One that falls, too, is a level. */
function isRunning(one: MetricPoint, suffix: string): boolean {
  if (!one.isCumulative) return false;
  return one.type === 'sum' ? one.isMonotonic : isCount(one, suffix);
}

/** Of a mean and a largest value nobody can tell what is new. */
function sinceStart({ isCumulative, type }: MetricPoint, suffix: string): string {
  return isCumulative && type !== 'sum' && suffix !== '.count' ? '.total' : '';
}

function totalOf(one: MetricPoint, attributes: Attributes, suffix: string): RunningTotal {
  const { resource, scope = '', name = '', point } = one;
  const parts = [resource.identity(), scope, `${name}${suffix}`, attributes.identity()];
  return {
    series: sha256(Buffer.from(JSON.stringify(parts))).readUIntBE(0, 6),
    startMs: msOfNanos(point['startTimeUnixNano']) ?? null,
  };
}

interface Value {
  readonly suffix: string;
  readonly value: number;
}

function single({ point }: MetricPoint): Value[] {
  const value = numberOf(point['asDouble'] ?? point['asInt']);
  return value === undefined ? [] : [{ suffix: '', value }];
}

function summed(point: Fields): Value[] {
  const [count, sum, max] = ['count', 'sum', 'max'].map((key) => numberOf(point[key]));
  if (count === undefined || count < 0) return [];
  return [
    { suffix: '.count', value: count },
    ...(count > 0 && sum !== undefined ? [{ suffix: '.mean', value: sum / count }] : []),
    ...(count > 0 && max !== undefined ? [{ suffix: '.max', value: max }] : []),
  ];
}

function nameOf({ name, point }: MetricPoint): string | undefined {
  const base = boundedName(name);
  if (base === undefined) return undefined;
  const kind = Attributes.ofList(point['attributes']).text(
    'gen_ai.token.type',
    'token_type',
    'type',
  );
  return kind !== undefined && /^[A-Za-z][A-Za-z_]{0,30}$/.test(kind) ? `${base}.${kind}` : base;
}

function refused(detail: string): Decoded {
  return { ok: false, reason: 'not_an_event', detail };
}
