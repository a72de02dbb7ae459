import { expect, test } from 'vitest';
import { failureKind } from './failure-kind.ts';
import { examples } from './failures.test-support.ts';

const kindOf = (errorCode: string, template: string, messages: readonly string[] = []) =>
  failureKind({
    errorCode,
    template,
    examples: messages.flatMap((message) => examples(message, [1])),
  });

test.each([
  ['ETIMEDOUT', '', 'timeout'],
  ['tool-timeout', '', 'timeout'],
  ['504', '', 'timeout'],
  ['DeadlineExceeded', '', 'timeout'],
  ['ReadTimeout', '', 'timeout'],
  ['TooManyRequests', '', 'rate_limit'],
  ['HTTP_429', '', 'rate_limit'],
  ['E2BIG', '', 'size_limit'],
  ['RETRIES_EXHAUSTED', 'deadline exceeded', 'retries_exhausted'],
  ['', 'Request timed out after <*> ms', 'timeout'],
  ['', 'context deadline exceeded', 'timeout'],
  ['', 'gave up after 3 attempts: timed out', 'retries_exhausted'],
  ['', 'HTTP 429: slow down', 'rate_limit'],
  ['', 'Too many requests', 'rate_limit'],
  ['', "This model's maximum context length is <*> tokens", 'size_limit'],
  ['', 'payload too large', 'size_limit'],
  ['', 'the prompt is too long', 'size_limit'],
  ['', 'the query took too long', 'timeout'],
  ['', 'waited far too long for a place', 'timeout'],
  ['', 'row 429 is missing', 'other'],
  ['', 'payload is invalid', 'other'],
  ['', 'file not found', 'other'],
  ['EACCES', 'permission denied', 'other'],
])('code "%s", message "%s": %s', (code, template, kind) => {
  expect(kindOf(code, template)).toBe(kind);
});

test('a template that says nothing leaves it to most of the messages', () => {
  expect(kindOf('', '<*>', ['a timed out', 'b timed out', 'no'])).toBe('timeout');
  expect(kindOf('', '<*>', ['a timed out', 'no'])).toBe('other');
  expect(kindOf('', '<*>')).toBe('other');
});
