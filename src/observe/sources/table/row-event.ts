/** A row becomes an event, by the mapping. */
import { EVENT_FIELDS } from '../../../facts/index.ts';
import { durationAt, durationIn } from '../../reading/durations.ts';
import { levelOf, wentWell } from '../../reading/outcomes.ts';
import { event, refused, sessionOfDay } from '../../reading/records.ts';
import { type TimeUnit, timeIn, timeOf } from '../../reading/times.ts';
import { countOf, nameOf, numberOf, textOf } from '../../reading/values.ts';
import type { Decoded } from '../../types.ts';
import {
  type ColumnRule,
  type Columns,
  fieldOf,
  type MappedField,
  neededFields,
  type RowKind,
  rowKindOf,
  WORDS,
} from './mapping.ts';

/** The mapping, made ready: every field with its rule. */
export interface Mapping {
  readonly kind: RowKind;
  readonly fields: readonly (readonly [MappedField, ColumnRule])[];
}

export function mappingOf(columns: Columns): Mapping {
  const given = Object.entries(columns) as [MappedField, string | ColumnRule | undefined][];
  const fields = given
    .filter(([, rule]) => rule !== undefined)
    .map(([name, rule]) => [name, typeof rule === 'string' ? { column: rule } : rule!] as const);
  return { kind: rowKindOf(columns)!, fields };
}

/** Fields that an event cannot be without, and what stands for them. */
const MISSING = 'its value is missing or cannot be read';

export function rowEvent(
  mapping: Mapping,
  cell: (column: string) => unknown,
  about: { readonly stem: string; readonly zoneMinutes: number },
): Decoded {
  const given: Record<string, unknown> = { kind: mapping.kind };
  for (const [name, rule] of mapping.fields) {
    const raw = rule.value ?? (rule.column === undefined ? undefined : cell(rule.column));
    const value =
      raw === undefined || raw === null || raw === ''
        ? undefined
        : readCell(name, rule, raw, about);
    if (value !== undefined) given[fieldOf(name)] = value;
  }
  if (typeof given['atMs'] !== 'number') return refused(`time: ${MISSING}.`, 'wrong_time');
  given['session'] ??= sessionOfDay(about.stem, given['atMs']);
  if ('agent' in EVENT_FIELDS[mapping.kind]) given['agent'] ??= about.stem;
  if (mapping.kind === 'tool_call')
    given['success'] ??= given['errorMessage'] === undefined ? undefined : false;
  const missing = mapping.fields.find(
    ([name]) => neededFields(mapping.kind).includes(name) && given[fieldOf(name)] === undefined,
  );
  if (missing !== undefined) return refused(`${missing[0]}: ${MISSING}.`);
  if (given['success'] === true) {
    delete given['errorMessage'];
    delete given['errorCode'];
  }
  return event<'tool_call'>(given as unknown as Parameters<typeof event<'tool_call'>>[0]);
}

function readCell(
  name: MappedField,
  rule: ColumnRule,
  raw: unknown,
  { zoneMinutes }: { zoneMinutes: number },
): unknown {
  switch (name) {
    case 'time':
      return rule.unit === undefined
        ? timeOf(raw, zoneMinutes)
        : timeIn(raw, rule.unit as TimeUnit);
    case 'latency':
    case 'duration':
      return rule.unit === undefined
        ? durationAt(rule.column ?? '', raw)
        : durationIn(raw, rule.unit);
    case 'success':
      return successOf(rule, raw);
    case 'level':
      return listed(WORDS.level, rule, raw) ?? levelOf(raw) ?? 'info';
    case 'status':
      return listed(WORDS.status, rule, raw) ?? statusOf(raw);
    case 'rating':
      return listed(WORDS.rating, rule, raw) ?? ratingOf(raw);
    case 'value':
      return numberOf(raw);
    case 'attempt':
    case 'inputTokens':
    case 'outputTokens':
    case 'inputBytes':
    case 'outputBytes':
    case 'cost':
    case 'retries':
      return countOf(raw);
    case 'message':
    case 'error':
      return textOf(raw);
    default:
      return nameOf(raw);
  }
}

const same = (one: unknown, raw: unknown) =>
  String(one).trim().toLowerCase() === String(raw).trim().toLowerCase();

function isIn(list: readonly unknown[] | undefined, raw: unknown): boolean {
  return list?.some((one) => same(one, raw)) ?? false;
}

/** With a list, what is not in it is the other; without one, the value's own words say it. */
function successOf(rule: ColumnRule, raw: unknown): boolean | undefined {
  if (rule.is !== undefined) return isIn(rule.is, raw);
  if (rule.not !== undefined) return !isIn(rule.not, raw);
  return wentWell(raw);
}

function listed<W extends string>(
  words: readonly W[],
  rule: ColumnRule,
  raw: unknown,
): W | undefined {
  return words.find((word) =>
    isIn((rule as Readonly<Record<string, unknown[] | undefined>>)[word], raw),
  );
}

function statusOf(raw: unknown) {
  if (/^(?:skip|ignored|pending|todo)/i.test(String(raw))) return 'skipped';
  if (/^flaky/i.test(String(raw))) return 'flaky';
  const well = wentWell(raw);
  return well === undefined ? undefined : well ? 'passed' : 'failed';
}

function ratingOf(raw: unknown) {
  const well =
    numberOf(raw) === undefined ? (wentWell(raw) ?? thumb(String(raw))) : numberOf(raw)! > 0;
  return well === undefined ? undefined : well ? 'thumbs_up' : 'thumbs_down';
}

function thumb(word: string): boolean | undefined {
  if (/up|good|like|positive|👍/i.test(word)) return !/dis|un/i.test(word);
  return /down|bad|negative|👎/i.test(word) ? false : undefined;
}
