import { describe, expect, test } from 'vitest';
import { otlpDecoder } from './otlp.ts';
import { AT_MS, eventsOf, keyValues, metricsOf } from './requests.test-support.ts';

const point = (more: object, attributes: Parameters<typeof keyValues>[0] = {}) => ({
  timeUnixNano: `${AT_MS}000000`,
  attributes: keyValues(attributes),
  ...more,
});
const of = (metric: object) => eventsOf('metrics', metricsOf([metric]));

describe('OBS-2 data points', () => {
  test('a gauge and a sum since the last time have their value', () => {
    expect(
      of({ name: 'm', unit: 's', gauge: { dataPoints: [point({ asDouble: 1.5 })] } }),
    ).toMatchObject([
      { kind: 'metric', name: 'm', value: 1.5, unit: 's', agent: 'shop', atMs: AT_MS },
    ]);
    const sum = {
      aggregationTemporality: 1,
      isMonotonic: true,
      dataPoints: [point({ asInt: '7' })],
    };
    expect(of({ name: 'm', unit: '1', sum })).toMatchObject([{ name: 'm', value: 7 }]);
    expect(of({ name: 'm', unit: '1', sum })[0]).not.toHaveProperty('unit');
  });

  test('of sums since the program began only what is new counts; one that falls, too, is a level', () => {
    const totals = (values: readonly number[], more: object = {}) =>
      metricsOf(
        values.map((value, at) => ({
          name: 'm',
          sum: {
            aggregationTemporality: 2,
            isMonotonic: true,
            dataPoints: [
              point({ asInt: value, timeUnixNano: `${AT_MS + at}000000` }, { model: 'a' }),
              point({ asInt: 10 * value, timeUnixNano: `${AT_MS + at}000000` }, { model: 'b' }),
            ],
            ...more,
          },
        })),
      );
    const decode = (request: object) => {
      const { records } = otlpDecoder.decode(JSON.stringify(request), null, {
        name: 'a',
        modifiedMs: null,
      });
      return records.map((one) => one.ok && one.event.kind === 'metric' && one.event);
    };
    const added = decode(totals([5, 7, 7, 2]));
    expect(added).toMatchObject(
      [0, 0, 2, 20, 0, 0, 2, 20].map((value) => ({ name: 'm', value, isSum: true })),
    );
    const [level] = decode(totals([5], { isMonotonic: false }));
    expect(level).toMatchObject({ name: 'm', value: 5 });
    expect(level).not.toHaveProperty('isSum');
  });

  test('the kind of token is part of the name', () => {
    const sum = {
      aggregationTemporality: 1,
      dataPoints: [point({ asInt: 7 }, { type: 'cacheRead', model: 'm', 'session.id': 's1' })],
    };
    expect(of({ name: 'claude_code.token.usage', unit: 'tokens', sum })).toMatchObject([
      { name: 'claude_code.token.usage.cacheRead', value: 7, model: 'm', session: 's1' },
    ]);
  });

  test('a histogram is its count, its mean and its largest value', () => {
    const dataPoints = [point({ count: '4', sum: 10, max: 6 })];
    expect(
      of({ name: 'h', unit: 'ms', histogram: { aggregationTemporality: 1, dataPoints } }),
    ).toMatchObject([
      { name: 'h.count', value: 4 },
      { name: 'h.mean', value: 2.5, unit: 'ms' },
      { name: 'h.max', value: 6 },
    ]);
    expect(of({ name: 'h', summary: { dataPoints: [point({ count: 0, sum: 0 })] } })).toMatchObject(
      [{ name: 'h.count', value: 0 }],
    );
  });

  test('a point that says that it has no value is nothing; one without is refused', () => {
    expect(of({ name: 'm', gauge: { dataPoints: [point({ flags: 1 })] } })).toEqual([]);
    expect(() => of({ name: 'm', gauge: { dataPoints: [point({})] } })).toThrow('has no value');
  });
});
