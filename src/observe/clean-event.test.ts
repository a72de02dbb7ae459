import { expect, test } from 'vitest';
import type { Event } from '../facts/index.ts';
import { sanitise } from '../sanitise/index.ts';
import { Cleaner } from './clean-event.ts';
import { SETTINGS } from './telemetry.test-support.ts';

const KEY = '00'.repeat(32);
const event = (errorMessage: string) =>
  ({
    kind: 'tool_call',
    atMs: 5,
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

test('what is not declared is not kept, and the event that was given stays as it is', () => {
  const argumentNames = Object.freeze(['query', 'bob@mail.org']);
  const given = { ...event('eve@mail.org'), argumentNames, secret: 'hunter2' } as unknown as Event;
  const before = structuredClone(given);
  const { event: clean, replaced } = new Cleaner(sanitise, SETTINGS).event(
    Object.freeze(given),
    KEY,
  );
  expect(given).toEqual(before);
  expect(JSON.stringify(clean)).not.toMatch(/hunter2|@/);
  expect(clean).toMatchObject({
    argumentNames: ['query', '[REDACTED:EMAIL]'],
    agent: 'researcher',
  });
  expect(replaced).toEqual({ email: 2 });
});

test('an event that is clean is kept without a copy', () => {
  const given = event('timed out');
  const { event: clean, replaced } = new Cleaner(sanitise, SETTINGS).event(given, KEY);
  expect(clean).toBe(given);
  expect(replaced).toBeUndefined();
  const late = { ...given, atMs: 5.7 } as unknown as Event;
  expect(new Cleaner(sanitise, SETTINGS).event(late, KEY).event).toEqual(given);
});
