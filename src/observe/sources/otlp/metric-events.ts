/**
 * Data points as `metric` events.
 *
 * | point | events |
 * |---|---|
 * | gauge, sum since the last time | `name` |
 * | sum since the program began | `name.total`: a running total. Which part of it is new needs what came before, which a receiver among several does not know |
 * | histogram, summary | `name.count`, `name.mean`, and `name.max` where it is told; `name.count.total` and `name.mean.total` since the program began |
 *
 * The kind of token that a point counts is part of the name (`claude_code.token.usage.input`): sums over all kinds say
 * nothing. Other attributes are left out: points that differ only in them add up under one name.
 */
import type { Event } from '../../../facts/index.ts';
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
  const total = one.isCumulative ? '.total' : '';
  return values.map(({ suffix, value }) => ({
    ok: true,
    event: known<Extract<Event, { kind: 'metric' }>>({
      kind: 'metric',
      ...common,
      atMs,
      agent: agentOf(attributes, one),
      name: boundedName(`${name}${suffix}${total}`) ?? name,
      value,
      unit: suffix === '.count' ? undefined : unit,
      isSum: !one.isCumulative && (one.type === 'sum' || suffix === '.count') ? true : undefined,
    }),
  }));
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
