/**
 * Makes events of the usual lines without asking zod, which takes longer than reading the JSON. What is checked follows
 * from the schema, by way of its JSON Schema; which field becomes which, from `eventOf`, which is shown a value of its
 * own for each. So neither is written twice. Undefined only means that zod has to be asked: it knows more, and says
 * what is wrong.
 */
import { z } from 'zod';
import type { Event, EventKind } from '../../../facts/index.ts';
import type { JsonlEvent } from './wire-schema.ts';

type Check = (value: unknown) => boolean;

interface Field {
  readonly check: Check;
  /** Its name in the event. */
  readonly to: string;
}

interface Kind {
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: number;
  readonly isRequired: ReadonlySet<string>;
}

/** What a JSON Schema of a flat object with simple fields holds. */
interface FieldSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: FieldSchema;
}

interface KindSchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

type Quick = (value: unknown) => Event | undefined;

export function quickEvents(schema: z.ZodType, eventOf: (wire: JsonlEvent) => Event): Quick {
  const { oneOf, anyOf } = z.toJSONSchema(schema) as {
    oneOf?: readonly KindSchema[];
    anyOf?: readonly KindSchema[];
  };
  const kinds = new Map<unknown, Kind>();
  for (const one of oneOf ?? anyOf ?? []) {
    const kind = one.properties['event_type']?.const;
    kinds.set(kind, kindOf(one, kind as EventKind, eventOf));
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const given = value as Readonly<Record<string, unknown>>;
    const kind = kinds.get(given['event_type']);
    return kind === undefined ? undefined : eventIn(given, kind);
  };
}

function eventIn(given: Readonly<Record<string, unknown>>, kind: Kind): Event | undefined {
  const { fields, isRequired } = kind;
  const event: Record<string, unknown> = { kind: given['event_type'], atMs: 0 };
  let missing = kind.required;
  for (const name in given) {
    const field = fields.get(name);
    const value = given[name];
    if (field === undefined || !field.check(value)) return undefined;
    if (isRequired.has(name)) missing -= 1;
    event[field.to] = value;
  }
  if (missing > 0) return undefined;
  event['atMs'] = Date.parse(given['timestamp'] as string);
  return event as unknown as Event;
}

/** A field that `eventOf` does more with than to rename it is left out: lines that have it are zod's. */
function kindOf(
  { properties, required = [] }: KindSchema,
  kind: EventKind,
  eventOf: (wire: JsonlEvent) => Event,
): Kind {
  const names = Object.keys(properties).filter((name) => name !== 'event_type');
  const shown = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  const event = eventOf({ ...shown, event_type: kind } as unknown as JsonlEvent);
  const told = new Map(Object.entries(event).map(([to, value]) => [value as unknown, to]));
  const fields = new Map<string, Field>([
    ['event_type', { check: () => true, to: 'kind' }],
    ['timestamp', { check: isPlainTime, to: 'atMs' }],
  ]);
  for (const name of names) {
    const check = checkOf(properties[name]!);
    const to = told.get(shown[name]);
    if (check !== undefined && to !== undefined) fields.set(name, { check, to });
  }
  return { fields, required: required.length, isRequired: new Set(required) };
}

/** Undefined for a rule that only zod can judge. */
function checkOf(rule: FieldSchema): Check | undefined {
  if (rule.const !== undefined) return (value) => value === rule.const;
  if (rule.enum !== undefined) return (value) => rule.enum!.includes(value);
  switch (rule.type) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'string':
      return textCheck(rule);
    case 'number':
    case 'integer':
      return numberCheck(rule);
    case 'array':
      return listCheck(rule);
    default:
      return undefined;
  }
}

/** Lengths are in UTF-16 units, as zod counts them. */
function textCheck({ format, minLength = 0, maxLength = Infinity }: FieldSchema) {
  if (format === 'date-time') return isPlainTime;
  if (format !== undefined) return undefined;
  return (value: unknown) =>
    typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
}

function numberCheck({ type, minimum = -Infinity, maximum = Infinity }: FieldSchema): Check {
  const isKind = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return (value) => isKind(value) && (value as number) >= minimum && (value as number) <= maximum;
}

function listCheck({ items, maxItems = Infinity }: FieldSchema): Check | undefined {
  const item = items === undefined ? undefined : checkOf(items);
  if (item === undefined) return undefined;
  return (value) => Array.isArray(value) && value.length <= maxItems && value.every(item);
}

const PLAIN_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** In UTC, on a day that the calendar has; other forms are zod's to judge. */
function isPlainTime(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const found = PLAIN_TIME.exec(value);
  if (found === null) return false;
  const day = Number(found[1]);
  return day <= 28 || new Date(value).getUTCDate() === day;
}
