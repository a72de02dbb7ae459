/** The section `observe` of `hone.yaml`. */

import { z } from 'zod';
import { assert } from '../base/index.ts';
import { isLoopback } from '../config/at-start.ts';
import {
  byteSize,
  duration,
  field,
  group,
  hostName,
  ONCE_NAMED,
  section,
} from '../config/index.ts';
import { patternProblem, REPLACED_KINDS, type ReplacedKind } from '../sanitise/at-start.ts';
import { SOURCES } from './sources.ts';
import { triggersSchema } from './trigger-settings.ts';
import type { SourceKind, SourceSettings } from './types.ts';

/** As a person writes it. */
interface SourceInput {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly [key: string]: unknown;
}

/**
 * One object with the keys of all kinds, then checked by the entry's own kind: so a mistake is reported
 * at its key, as everywhere in the configuration.
 */
export function sourceEntry(kinds: readonly SourceKind[]): z.ZodType<SourceSettings, SourceInput> {
  const keys: Record<string, z.ZodType> = {};
  for (const kind of kinds)
    for (const [key, schema] of Object.entries(kind.keys) as [string, z.ZodType][]) {
      assert(key !== 'name' && key !== 'kind', `the key ${key} of a source belongs to the room`);
      assert((keys[key] ?? schema) === schema, `two kinds of source differ in their key ${key}`);
      keys[key] = schema;
    }
  const optional = Object.entries(keys).map(([key, schema]) => [key, z.optional(schema)] as const);
  const entry = z
    .strictObject({
      name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/),
      kind: z.prefault(z.enum(kinds.map(({ kind }) => kind)), kinds[0]!.kind),
      ...(Object.fromEntries(optional) as Record<string, z.ZodOptional>),
    })
    .superRefine(({ name: _, kind, ...own }, context) => {
      const given = Object.entries(own).filter(([, value]) => value !== undefined);
      const found = kinds.find((one) => one.kind === kind)!;
      const { error, data } = z.strictObject(found.keys).safeParse(Object.fromEntries(given));
      for (const issue of error?.issues ?? []) context.addIssue({ ...issue });
      const why = data === undefined ? undefined : found.check?.(data, kinds);
      if (why !== undefined)
        context.addIssue({ code: 'custom', params: { problem: 'bad_form', why } });
    });
  return entry as unknown as z.ZodType<SourceSettings, SourceInput>;
}

const sources = z
  .array(sourceEntry(SOURCES))
  .max(100)
  .superRefine((all, context) => {
    if (new Set(all.map(({ name }) => name)).size === all.length) return;
    const why = 'Two sources have the same name.';
    context.addIssue({ code: 'custom', params: { problem: 'bad_form', why } });
  });
const domain = z.string().regex(/^[a-z0-9.-]{1,253}$/);
const path = z.string().min(1).max(1000);
const rule = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9 _-]{0,39}$/),
    pattern: z.string().max(200),
    mark: z.optional(z.string().regex(/^[A-Z][A-Z0-9_]{0,23}$/)),
  })
  .superRefine(({ pattern }, context) => {
    const problem = patternProblem(pattern);
    if (problem === undefined) return;
    const why = `The pattern is not taken: ${problem}.`;
    context.addIssue({ code: 'custom', path: ['pattern'], params: { problem: 'bad_form', why } });
  });
/** A control sign inside a key would hide it from every rule, so those always go. */
const KEPT_KINDS = REPLACED_KINDS.filter((kind) => kind !== 'control');
const keptKind = z.enum(KEPT_KINDS as [ReplacedKind, ...ReplacedKind[]]);

const OTHERS_REACH_IT = {
  when: 'an address that is not this machine’s',
  isWeaker: (_before: string, after: string) => !isLoopback(after),
};

/** What agents send. The port is the one that every exporter uses unless told otherwise. */
const otlp = group('The receiver of OTLP over HTTP in hone up.', {
  enabled: field(z.boolean(), true, {
    weakens: 'any',
    comment: 'Whether it listens at all.',
  }),
  host: field(hostName(), '127.0.0.1', {
    weakens: OTHERS_REACH_IT,
    comment: 'Address to listen on. Another than loopback takes known senders only.',
  }),
  port: field(z.int().min(0).max(65_535), 4318, {
    weakens: 'any',
    comment: 'Port to listen on; 0 picks a free one.',
  }),
  senders: field(z.enum(['known', 'anyone']), 'anyone', {
    weakens: { strictestFirst: ['known', 'anyone'] },
    comment: 'known: with a token (hone token add). anyone: others too, kept apart.',
  }),
  maxRequest: field(byteSize({ min: '64KiB', max: '64MiB' }), '16MiB', {
    weakens: 'any',
    comment: 'The largest request, before and after unpacking.',
  }),
});

export const observeSection = section('observe', 'The telemetry of the agents.', {
  sources: field(sources, [], {
    weakens: ONCE_NAMED,
    comment: `Telemetry: a name, a kind (${SOURCES[0]!.kind} unless given) and the kind’s keys.`,
    choices: SOURCES.map(({ kind, about }) => ({ name: kind, about })),
    asked: { example: { name: 'agents', path: '/var/log/agents' } },
  }),
  triggers: field(triggersSchema, [], {
    weakens: 'removal',
    comment: 'What begins a cycle early: a name, when, and a limit.',
    choices: [
      { name: 'rate', about: 'a share of calls or sessions is above a limit' },
      { name: 'count', about: 'more events failed than a limit' },
      { name: 'percentile', about: 'calls take longer than a limit' },
      { name: 'absence', about: 'nothing comes any more' },
    ],
  }),
  retention: group('How long telemetry is kept.', {
    events: field(duration({ min: '1d', max: '3650d' }), '30d', {
      weakens: 'lower',
      comment: 'Raw events; one that a proposal names stays as long as the proposal.',
    }),
    counts: field(duration({ min: '14d', max: '3650d' }), '90d', {
      weakens: 'lower',
      comment: 'Counts by minute, hour and day.',
    }),
  }),
  otlp,
  overhead: field(z.number().min(0.001).max(1), 0.05, {
    weakens: 'any',
    comment: 'What observing may cost of what is observed; above it it samples.',
  }),
  allowedDomains: field(
    z.array(domain).max(200),
    ['api.openai.com', 'api.anthropic.com', 'github.com'],
    { weakens: 'addition', comment: 'Hosts whose URLs are kept whole, without their secrets.' },
  ),
  allowedPaths: field(z.array(path).max(200), [], {
    weakens: 'addition',
    comment: 'Absolute paths kept whole; others are cut to two components.',
  }),
  redactUuids: field(z.boolean(), false, {
    weakens: { strictestFirst: [true, false] },
    comment: 'Replace UUIDs too. Sessions named by one become one.',
  }),
  rules: field(z.array(rule).max(100), [], {
    weakens: 'removal',
    comment: 'Own rules of the sanitiser: a name, a pattern, what the mark says.',
  }),
  keepKinds: field(z.array(keptKind).max(KEPT_KINDS.length), [], {
    weakens: 'addition',
    comment: 'Kinds that the sanitiser leaves alone, such as phone.',
  }),
  markSuffix: field(z.boolean(), false, {
    weakens: { strictestFirst: [false, true] },
    comment: 'Let marks of equal values end alike, by a key of this store.',
  }),
});
