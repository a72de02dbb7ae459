/** Every field of every kind of event, whatever source gave it: bounded, and sanitised before it is stored. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  EVENT_FIELDS,
  EVENT_KINDS,
  type Event,
  type FieldRule,
  NAME_MAX,
  NAMES_MAX,
} from '../facts/index.ts';
import { outOfBounds } from './check-event.ts';
import { fileSource } from './files/file-source.ts';
import {
  anyKey,
  collectorOf,
  everything,
  MemoryFiles,
  SETTINGS,
  START_MS,
  TABLES,
  telemetryPerTest,
} from './telemetry.test-support.ts';
import type { Decoder, SourceKind } from './types.ts';

const isText = (rule: FieldRule) =>
  rule === 'name' || rule === 'text' || rule === 'session' || rule === 'hash';

function sampleOf(rule: FieldRule, text: string): unknown {
  if (isText(rule)) return text;
  if (rule === 'names') return [text];
  if (rule === 'flag') return false;
  return Array.isArray(rule) ? rule[0] : (rule as { min: number }).min;
}

/** An event with all its fields, each text the given one. */
function whole(kind: Event['kind'], text: string): Event {
  const rules: Readonly<Record<string, FieldRule>> = EVENT_FIELDS[kind];
  const fields = Object.entries(rules).map(([field, rule]) => [field, sampleOf(rule, text)]);
  return { ...Object.fromEntries(fields), kind, atMs: START_MS } as Event;
}

/** A source that gives whatever it reads as an event: nothing is checked before the room. */
const decoder: Decoder = {
  start: null,
  decode: (payload) => ({
    records: [{ ok: true, event: JSON.parse(payload) as Event }],
    state: null,
  }),
};
const trusting = {
  kind: 'trusting',
  about: 'whatever stands there',
  keys: { path: z.string() },
  place: () => 'there',
  open: ({ path }, ports) => fileSource(path, { wanted: { extensions: ['x'] }, decoder }, ports),
} satisfies SourceKind<{ path: z.ZodString }>;

describe('the fields of an event', () => {
  const open = telemetryPerTest('memory');

  async function collect(events: readonly unknown[]) {
    const files = new MemoryFiles().append(
      'a.x',
      events.map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    const settings = { ...SETTINGS, sources: [{ name: 'a', kind: 'trusting', path: 'a.x' }] };
    const kinds = [trusting as unknown as SourceKind];
    return collectorOf(open().store, files, { settings, kinds }).collect();
  }

  test.each(EVENT_KINDS)('OBS-5 no text of %s is stored before it was sanitised', async (kind) => {
    const key = anyKey();
    const event = whole(kind, key);
    expect(await collect([event])).toMatchObject({ events: 1, aside: 0 });
    const stored = await everything(open().store, TABLES);
    expect(stored).not.toContain(key.slice(13));
    const [row] = await open().store.all('SELECT body FROM observe_events');
    const body = JSON.parse(row!['body'] as string) as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(Object.keys(event).sort());
  });

  test('OBS-5 what no field declares is not kept', async () => {
    const key = anyKey();
    const event = { ...whole('feedback', 'x'), prompt: key, nested: { deep: key } };
    expect(await collect([event])).toMatchObject({ events: 1 });
    expect(await everything(open().store, TABLES)).not.toContain(key.slice(13));
  });

  test('whatever a source gives, the room stores it or sets it aside', async () => {
    const bad = [
      {},
      [],
      null,
      7,
      'x',
      { kind: 'rocket' },
      { kind: 'toString' },
      { kind: 'metric' },
    ];
    expect(await collect(bad)).toMatchObject({ events: 0, aside: bad.length });
  });

  test.each(EVENT_KINDS)('every field of %s has its bounds', (kind) => {
    const good = whole(kind, 'x');
    expect(outOfBounds(good, START_MS)).toBeUndefined();
    const rules: Readonly<Record<string, FieldRule>> = EVENT_FIELDS[kind];
    for (const [field, rule] of Object.entries(rules)) {
      for (const value of beyond(rule)) {
        const refused = outOfBounds({ ...good, [field]: value } as Event, START_MS);
        expect(refused, `${field}: ${String(value).slice(0, 20)}`).toBeDefined();
      }
    }
  });
});

function beyond(rule: FieldRule): unknown[] {
  const none = [null, {}, []];
  if (rule === 'names') {
    const tooMany = Array<string>(NAMES_MAX + 1).fill('x');
    return [null, {}, 'x', [7], [''], ['x'.repeat(NAME_MAX + 1)], tooMany];
  }
  if (rule === 'text' || rule === 'hash') return [...none, 7, 'x'.repeat(64 * 1024 + 1)];
  if (isText(rule)) return [...none, 7, '', 'x'.repeat(NAME_MAX + 1)];
  if (rule === 'flag') return [...none, 0, 'true'];
  if (Array.isArray(rule)) return [...none, 7, '', 'rocket'];
  return [...none, '7', Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
}
