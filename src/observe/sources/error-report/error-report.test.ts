import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../base/index.ts';
import {
  ABOUT,
  decoded,
  knownHead,
  MODIFIED_MS,
  survivesAnything,
} from '../decoding.test-support.ts';
import { errorDocuments, errorLines } from './error-report.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);
const read = (value: unknown, about = ABOUT) =>
  decoded(errorDocuments, [typeof value === 'string' ? value : JSON.stringify(value)], about);

describe('OBS-2 reports of errors', () => {
  test('a file for each, by the names of its keys', () => {
    expect(read(knownHead('reports/errors/2026-11-17.json'))).toMatchObject([
      {
        kind: 'task_failure',
        atMs: AT_MS,
        task: 'nightly-report',
        errorCategory: 'timeout',
        errorMessage: 'no answer',
        retries: 2,
      },
    ]);
    const other = {
      time: AT_MS,
      service: 'shop',
      error: { type: 'ValueError', message: 'no stock' },
      traceback: 'Traceback\nValueError: no stock',
    };
    expect(read({ errors: [other, other] })).toMatchObject([
      {
        agent: 'shop',
        task: 'shop',
        errorCategory: 'ValueError',
        errorMessage: 'Traceback\nValueError: no stock',
      },
      {},
    ]);
  });

  test('an event of Sentry, as the newer interfaces and as the older ones write it', () => {
    expect(read(knownHead('sentry.json'))).toMatchObject([
      {
        kind: 'task_failure',
        task: '/orders',
        errorCategory: 'ValueError',
        errorMessage: 'ValueError: no stock',
        version: 'shop@1.2.3',
        finalStatus: 'error',
      },
    ]);
    const old = {
      event_id: 'a',
      platform: 'node',
      timestamp: isoTime(AT_MS),
      culprit: 'run',
      exception: [
        { type: 'Error', value: 'first' },
        { type: 'TypeError', value: 'last' },
      ],
    };
    expect(read(old)).toMatchObject([
      { task: 'run', errorMessage: 'TypeError: last', atMs: AT_MS },
    ]);
    const issue = {
      id: '7',
      culprit: 'orders',
      title: 'E: no',
      lastSeen: isoTime(AT_MS),
      metadata: { type: 'E', value: 'no' },
      count: '4',
    };
    expect(read([issue])).toMatchObject([{ task: 'orders', errorMessage: 'E: no' }]);
  });

  test('an envelope of Sentry: its headers are passed over', () => {
    const event = JSON.stringify(JSON.parse(knownHead('sentry.json')));
    const envelope = [
      JSON.stringify({ event_id: 'a', sent_at: isoTime(AT_MS) }),
      JSON.stringify({ type: 'event', length: 5 }),
      event,
    ];
    expect(read(envelope.join('\n'))).toHaveLength(1);
    expect(decoded(errorLines, envelope)).toHaveLength(1);
  });

  test('without a time it has the file’s; without an error it is refused', () => {
    expect(read({ error: 'no' })).toMatchObject([
      { atMs: MODIFIED_MS, task: 'shop', errorCategory: 'error' },
    ]);
    expect(read({ error: 'no' }, { name: 'a', modifiedMs: null })).toMatchObject([
      { ok: false, reason: 'wrong_time' },
    ]);
    expect(read({ a: 1 })).toMatchObject([{ ok: false }]);
    expect(read('x')).toMatchObject([{ ok: false, reason: 'not_json' }]);
  });

  test('any text gives records, and never throws', () => {
    const heads = ['reports/errors/2026-11-17.json', 'sentry.json'].map(knownHead);
    survivesAnything(errorDocuments, heads);
    survivesAnything(errorLines, heads);
  });
});
