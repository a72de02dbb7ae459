import { expect, test } from 'vitest';
import type { Event } from '../facts/index.ts';
import { sanitise } from '../sanitise/index.ts';
import { Cleaner } from './clean-event.ts';
import { SETTINGS } from './telemetry.test-support.ts';

const KEY = '00'.repeat(32);
const event = (errorMessage: string) =>
  ({
    kind: 'tool_call',
    at: '2026-03-02T09:12:44.120Z',
    session: 's1',
    agent: 'researcher',
    tool: 'web_search',
    success: false,
    latencyMs: 1,
    errorMessage,
  }) as unknown as Event;
const errorOf = (settings: typeof SETTINGS, error: string) =>
  (new Cleaner(sanitise, settings).event(event(error), KEY).event as { errorMessage?: string })
    .errorMessage;

test('OBS-4 own rules and kept kinds of the configuration reach every event', () => {
  const rules = [{ name: 'employee', pattern: 'EMP-\\d{6}' }];
  const settings = { ...SETTINGS, rules, keepKinds: ['email' as const] };
  expect(errorOf(settings, 'EMP-004711 asked bob@mail.org')).toBe(
    '[REDACTED:EMPLOYEE] asked bob@mail.org',
  );
});

test('OBS-4 marks of equal values end alike by the store’s key, and only where asked for', () => {
  const text = 'bob@mail.org and eve@mail.org and bob@mail.org';
  expect(errorOf(SETTINGS, text)).toBe(
    '[REDACTED:EMAIL] and [REDACTED:EMAIL] and [REDACTED:EMAIL]',
  );
  const [bob, eve, again] = errorOf({ ...SETTINGS, markSuffix: true }, text)!.split(' and ');
  expect(bob).toMatch(/^\[REDACTED:EMAIL:[a-p]{8}\]$/);
  expect(again).toBe(bob);
  expect(eve).not.toBe(bob);
});
