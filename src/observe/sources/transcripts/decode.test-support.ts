/** Runs a decoder over lines as the room does: its state is stored after every line, sanitised. */
import { expect } from 'vitest';
import type { Json } from '../../../base/index.ts';
import type { Event, EventKind, EventOf } from '../../../facts/index.ts';
import { sanitise } from '../../../sanitise/index.ts';
import { outOfBounds } from '../../check-event.ts';
import { storable } from '../../files/decode-line.ts';
import type { Decoded, Decoder } from '../../types.ts';

const RULES = { allowedDomains: [], allowedPaths: [], redactUuids: true };
const clean = (text: string) => sanitise(text, RULES).text;
const LATER_MS = Date.UTC(2030, 0, 1);

export interface Decodings {
  readonly events: readonly Event[];
  readonly aside: readonly Decoded[];
  readonly skipped: number;
  readonly state: Json;
}

/** Events out of bounds fail the test: a decoder never gives any. */
export function decodeAll<State extends Json>(
  decoder: Decoder<State>,
  lines: readonly (object | string)[],
  name = 'a.jsonl',
): Decodings {
  let state = decoder.start;
  let skipped = 0;
  const records: Decoded[] = [];
  for (const line of lines) {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    const decoded = decoder.decode(text, state, { name, modifiedMs: null });
    records.push(...decoded.records);
    skipped += decoded.skipped ?? 0;
    const stored = storable(decoded.state, clean);
    expect(stored, 'the state is too large to be stored').toBeDefined();
    state = JSON.parse(JSON.stringify(stored)) as State;
  }
  const events = records.flatMap((record) => (record.ok ? [record.event] : []));
  for (const event of events)
    expect(outOfBounds(event, LATER_MS), JSON.stringify(event)).toBe(undefined);
  return { events, aside: records.filter(({ ok }) => !ok), skipped, state };
}

export function ofKind<K extends EventKind>(events: readonly Event[], kind: K): EventOf<K>[] {
  return events.filter((event) => event.kind === kind) as EventOf<K>[];
}
