import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventOf } from './event-of.ts';
import { quickEvents } from './quick-events.ts';
import { type JsonlEvent, jsonlEventSchema } from './wire-schema.ts';

const quick = quickEvents(jsonlEventSchema, eventOf);
/** As zod and `eventOf` make it, without what is absent. */
const slow = (wire: unknown) =>
  JSON.parse(JSON.stringify(eventOf(jsonlEventSchema.parse(wire) as JsonlEvent)));
const call = {
  timestamp: '2026-01-31T00:00:00.250Z',
  session_id: 's1',
  event_type: 'tool_call',
  agent: 'a',
  tool: 't',
  success: true,
  latency_ms: 1.5,
  argument_names: ['query'],
  attempt: 2,
};

describe('events of usual lines', () => {
  test('are made without asking the schema, and are the same', () => {
    const common = { timestamp: call.timestamp, session_id: 's1' };
    for (const event of [
      call,
      { ...call, success: false, error_code: 'E', error_message: '' },
      { ...common, event_type: 'metric', name: 'n', value: -1.5, unit: 'ms' },
      { ...common, event_type: 'feedback', agent: 'a', rating: 'thumbs_up' },
      { ...common, event_type: 'log_line', level: 'error', message: 'no' },
      { ...common, event_type: 'trace_span', span_id: 's', name: 'n', success: true },
    ])
      expect(quick(event)).toEqual(slow(event));
  });

  test('nothing that the schema refuses becomes one', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('', 'a'.repeat(200), 'a'.repeat(201), 'a'.repeat(16_385), 'failed'),
    );
    const time = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc
        .tuple(fc.nat(40), fc.nat(14), fc.nat(26))
        .map((parts) => parts.map((part) => String(part).padStart(2, '0')))
        .map(([day, month, hour]) => `2026-${month}-${day}T${hour}:00:00Z`),
      fc.constantFrom('2024-02-29T00:00:00Z', '2026-02-29T00:00:00Z', '2026-01-01', ''),
    );
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, 1e6, 1e6 + 1, 1e12));
    const value = fc.oneof(text, time, number, fc.boolean(), fc.constant(null), fc.array(text));
    const fields = Object.keys({ ...call, level: 1, message: 1, status: 1, test: 1, name: 1 });
    const changed = fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string()), value);
    fc.assert(
      fc.property(changed, (change) => {
        const event = { ...call, ...change };
        const made = quick(event);
        if (made !== undefined) expect(made).toEqual(slow(event));
      }),
      { numRuns: 3000 },
    );
    for (const anything of [null, [], 'tool_call', 7, {}, { event_type: 'rocket' }])
      expect(quick(anything)).toBeUndefined();
  });
});
