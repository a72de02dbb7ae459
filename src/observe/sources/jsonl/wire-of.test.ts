/** What Hone writes as JSONL, it reads again as the same events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVENT_FIELDS, EVENT_KINDS, type Event, type FieldRule } from '../../../facts/index.ts';
import { eventOf } from './event-of.ts';
import { wireOf } from './wire-of.ts';
import { jsonlEventSchema } from './wire-schema.ts';

/** Within what the wire takes: whole numbers, names of its length. */
function anyOf(field: string, rule: FieldRule): fc.Arbitrary<unknown> {
  const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
  switch (rule) {
    case 'name':
    case 'session':
      return name;
    case 'names':
      return fc.array(name, { maxLength: 3 });
    case 'text':
    case 'hash':
      return fc.string({ maxLength: 60 });
    case 'flag':
      return fc.boolean();
    default:
      if (!('min' in rule)) return fc.constantFrom(...rule);
      if (field === 'atMs') return fc.integer({ min: 0, max: Date.UTC(2100, 0) });
      return fc.integer({ min: Math.max(0, rule.min), max: Math.min(1e6, rule.max) });
  }
}

/** Not on the wire. */
const LEFT_OUT = new Set(['certainty', 'arguments']);
const NEEDED = new Set(
  'atMs session agent tool success correction task errorCategory rating reason name value test status spanId level message change'.split(
    ' ',
  ),
);

function eventArbitrary(kind: (typeof EVENT_KINDS)[number]): fc.Arbitrary<Event> {
  const fields = Object.entries(EVENT_FIELDS[kind] as Readonly<Record<string, FieldRule>>);
  const model = fields.map(([field, rule]) => [field, anyOf(field, rule)] as const);
  return fc
    .record(Object.fromEntries(model), {
      requiredKeys: model.map(([field]) => field).filter((field) => NEEDED.has(field)),
      noNullPrototype: true,
    })
    .map((event) => ({ kind, ...event }) as unknown as Event);
}

const known = (event: Event) =>
  Object.fromEntries(
    Object.entries(event).filter(([key, value]) => value !== undefined && !LEFT_OUT.has(key)),
  );

test.each(EVENT_KINDS)('OBS-6 %s: written, read again, the same', (kind) => {
  fc.assert(
    fc.property(eventArbitrary(kind), (event) => {
      const wire = jsonlEventSchema.parse(JSON.parse(JSON.stringify(wireOf(event))));
      expect(known(eventOf(wire))).toEqual(known(event));
    }),
  );
});

test('what the sanitiser made longer, or a source gave as a fraction, is still read', () => {
  const event: Event = {
    kind: 'tool_call',
    atMs: 1000.4,
    session: 'x'.repeat(300),
    agent: '',
    tool: `${'y'.repeat(199)}😀`,
    success: true,
    inputTokens: 12.5,
  };
  const wire = jsonlEventSchema.parse(wireOf(event));
  expect(wire).toMatchObject({
    agent: '-',
    input_tokens: 13,
    timestamp: '1970-01-01T00:00:01.000Z',
  });
  const metric: Event = {
    kind: 'metric',
    atMs: 0,
    session: 's',
    name: 'n',
    value: 1,
    unit: 'u'.repeat(90),
  };
  expect(jsonlEventSchema.safeParse(wireOf(metric)).success).toBe(true);
});
