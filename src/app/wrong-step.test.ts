import { describe, expect, test } from 'vitest';
import type { Event } from '../facts/index.ts';
import type { CleanEvent, StoredEvent } from '../observe/index.ts';
import { faultsOf, wrongStepOf } from './wrong-step.ts';

const stored = (event: Record<string, unknown>, at: number): StoredEvent => ({
  id: `e${at}`,
  atMs: at,
  source: 'test',
  sanitiser: 1,
  event: { atMs: at, session: 's', ...event } as unknown as Event as CleanEvent,
});
const call = (agent: string, tool: string, rest: Record<string, unknown> = {}) => ({
  kind: 'tool_call',
  agent,
  tool,
  success: true,
  ...rest,
});
const failed = { success: false, errorMessage: 'no such order' };
const wrongOf = (...events: Record<string, unknown>[]) => wrongStepOf(events.map(stored));

describe('where a session went wrong', () => {
  test('a call that failed for good, not the one that was tried again and worked', () => {
    const found = wrongOf(
      call('buyer', 'search', failed),
      call('buyer', 'search'),
      call('buyer', 'order', failed),
    );
    expect(found).toMatchObject({ event: 'e2', agent: 'buyer', sign: 'failure' });
  });

  test('the call whose error the failed task reports again', () => {
    const found = wrongOf(
      call('buyer', 'search', { success: false, errorMessage: 'index is stale' }),
      call('buyer', 'order', { success: false, errorMessage: 'unknown number 4711' }),
      { kind: 'task_failure', task: 't', errorCategory: 'x', errorMessage: 'could not order 4711' },
    );
    expect(found).toMatchObject({ event: 'e1', sign: 'origin' });
  });

  test('the same call with the same arguments over and over; with others it is just work', () => {
    const polls = (values: string[]) =>
      values.map((value) => call('a', 'get', { arguments: value }));
    const rest = [call('b', 'fix'), call('b', 'send', failed)];
    expect(wrongOf(...polls(['x', 'x', 'x']), ...rest)).toMatchObject({
      event: 'e2',
      sign: 'repeats',
    });
    expect(wrongOf(...polls(['x', 'y', 'z']), ...rest)).toMatchObject({ event: 'e4' });
    const unknown = [call('a', 'get'), call('a', 'get'), call('a', 'get')];
    expect(wrongOf(...unknown, ...rest)).toMatchObject({ event: 'e4' });
  });

  test('a span above the failed call is not blamed for it', () => {
    const span = { kind: 'trace_span', name: 'run', agent: 'a', success: false, spanId: '1' };
    const found = wrongOf(span, call('a', 'get', { ...failed, spanId: '2', parentSpanId: '1' }));
    expect(found).toMatchObject({ event: 'e1' });
  });

  test('nothing is said of a session that went well or made all good', () => {
    expect(wrongOf(call('a', 'get'))).toBeNull();
    expect(wrongOf(call('a', 'get', failed), call('a', 'get'))).toBeNull();
    expect(wrongOf()).toBeNull();
  });
});

test('single calls: the third equal one of an agent, and errors that name their kind', () => {
  const same = { arguments: 'x' };
  const found = faultsOf(
    [
      call('a', 'get', same),
      call('b', 'get', same),
      call('a', 'get', same),
      call('a', 'get', { ...same, success: false, errorMessage: 'timed out' }),
      call('a', 'put', { success: false, errorMessage: 'SyntaxError: unexpected token' }),
      call('a', 'put', failed),
    ].map(stored),
  );
  expect([...found]).toEqual([
    ['e3', ['repeated_call', 'timeout']],
    ['e4', ['malformed']],
  ]);
});
