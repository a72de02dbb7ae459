import { describe, expect, test } from 'vitest';
import {
  ABOUT,
  decoded,
  knownHead,
  MODIFIED_MS,
  survivesAnything,
} from '../decoding.test-support.ts';
import { healthDocuments, healthLines } from './health.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);
const read = (value: unknown) =>
  decoded(healthDocuments, [typeof value === 'string' ? value : JSON.stringify(value)]);

describe('OBS-2 results of health checks', () => {
  test('checks by name', () => {
    expect(read(knownHead('health.json'))).toMatchObject([
      {
        kind: 'test_result',
        suite: 'health',
        test: 'database',
        status: 'passed',
        durationMs: 3,
        atMs: AT_MS,
      },
      { test: 'gateway', status: 'failed', errorMessage: 'connection refused' },
    ]);
  });

  test('a line for each check', () => {
    expect(decoded(healthLines, knownHead('health.jsonl').split('\n'))).toMatchObject([
      { test: 'gateway', status: 'passed', durationMs: 12 },
      { test: 'gateway', status: 'failed', durationMs: 5000, errorMessage: 'timeout' },
    ]);
  });

  test('the forms of Spring Boot and of health+json', () => {
    expect(
      read({
        status: 'DOWN',
        components: {
          db: { status: 'UP' },
          mail: { status: 'DOWN', details: { error: 'refused' } },
          ping: { status: 'OUT_OF_SERVICE' },
        },
      }),
    ).toMatchObject([
      { test: 'db', status: 'passed', atMs: MODIFIED_MS },
      { test: 'mail', status: 'failed', errorMessage: 'refused' },
      { test: 'ping', status: 'skipped' },
    ]);
    expect(
      read({
        status: 'pass',
        checks: {
          'db:responseTime': [
            {
              status: 'warn',
              observedValue: 250,
              observedUnit: 'ms',
              time: '2026-11-17T09:12:01Z',
            },
          ],
        },
      }),
    ).toMatchObject([
      { test: 'db:responseTime', status: 'passed', atMs: AT_MS },
      { kind: 'metric', name: 'db:responseTime', value: 250, unit: 'ms' },
    ]);
  });

  test('only one status, a list, and plain words', () => {
    expect(read({ status: 'ok' })).toMatchObject([{ test: 'shop', status: 'passed' }]);
    expect(
      read({
        status: 'error',
        services: [
          { name: 'a', healthy: false },
          { name: 'b', healthy: true },
        ],
      }),
    ).toMatchObject([
      { test: 'a', status: 'failed' },
      { test: 'b', status: 'passed' },
    ]);
    expect(read({ checks: { a: 'ok', b: 'failed' } })).toMatchObject([
      { status: 'passed' },
      { status: 'failed' },
    ]);
  });

  test('what has no status is refused', () => {
    expect(read({ a: 1 })).toMatchObject([{ ok: false }]);
    expect(read('x')).toMatchObject([{ ok: false }]);
    expect(
      decoded(healthDocuments, ['{"status":"ok"}'], { ...ABOUT, modifiedMs: null }),
    ).toMatchObject([{ reason: 'wrong_time' }]);
  });

  test('any text gives records, and never throws', () => {
    survivesAnything(healthDocuments, [knownHead('health.json')]);
    survivesAnything(healthLines, knownHead('health.jsonl').split('\n'));
  });
});
