import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { honeSections } from '../loop/sections.ts';
import { composeSections, type Field, field, fieldNote, group, section } from './fields.ts';
import { duration } from './quantities.ts';
import type { Section } from './types.ts';

const lamp = section('lamp', 'The lamp.', {
  watts: field(z.int().min(1), 40, { weakens: 'higher', comment: 'How bright.' }),
  timer: group('When it goes off.', {
    after: field(duration({ min: '0s', max: '1d' }), '2h', {
      weakens: 'lower',
      comment: 'After this long.',
    }),
  }),
});

describe('sections', () => {
  test('compose to one strict schema with every default', () => {
    const schema = composeSections([lamp]);
    expect(schema.parse({})).toEqual({ lamp: { watts: 40, timer: { after: 7_200_000 } } });
    expect(schema.parse({ lamp: { timer: { after: '5m' } } }).lamp.timer.after).toBe(300_000);
    expect(schema.safeParse({ lamp: { watt: 1 } }).success).toBe(false);
    expect(schema.safeParse({ lamb: {} }).success).toBe(false);
  });

  test('of two rooms do not share a key', () => {
    expect(() => composeSections([lamp, lamp])).toThrow('two rooms contribute the section "lamp"');
  });

  test('CONFIG-1 have only keys with a default, a one-line comment and a direction that weakens', () => {
    const bare = { watts: z.int() } as unknown as Record<string, Field>;
    expect(() => section('lamp', 'x', bare)).toThrow('"watts" was not made by field() or group()');
    expect(() => field(z.int(), 1, { weakens: 'any', comment: '' })).toThrow('one-line comment');
    expect(() => field(z.int(), 1, { weakens: 'any', comment: 'a\nb' })).toThrow(
      'one-line comment',
    );
    const forgot = { comment: 'How bright.' } as { weakens: 'any'; comment: string };
    expect(() => field(z.int(), 1, forgot)).toThrow('says which change of it weakens');
    expect(() => section('the lamp', 'x', {})).toThrow('no name for a section');
  });
});

describe('CONFIG-1: the defaults', () => {
  const config = composeSections(honeSections).parse({});
  const h = 3_600_000;

  test('SCHED-1: schedules', () => {
    const times = Object.entries(config.schedules).map(([name, { cron, timezone, timeout }]) => [
      name,
      cron,
      timezone,
      timeout / 60_000,
    ]);
    expect(times).toEqual([
      ['telemetry', '0 1 * * *', 'UTC', 5],
      ['retention', '30 3 * * *', 'UTC', 30],
      ['criticalNotices', '*/5 * * * *', 'UTC', 2],
      ['highNotices', '0 * * * *', 'UTC', 5],
      ['digest', '0 9 * * *', 'UTC', 5],
      ['stalledTasks', '*/10 * * * *', 'UTC', 2],
      ['selfEvaluation', '0 2 * * *', 'UTC', 10],
      ['enhancementScan', '0 6 * * 0', 'UTC', 15],
    ]);
    for (const { notify } of Object.values(config.schedules))
      expect(notify).toContainEqual({ on: 'error', to: 'operator' });
    expect(config.schedules.selfEvaluation.notify).toHaveLength(2);
  });

  test('PROP-7: limits', () => {
    expect(config.limits).toEqual({
      cyclesPerDay: 4,
      openProposals: 20,
      rejectionsBeforePause: 3,
      rejectionPause: 48 * h,
      failurePause: 24 * h,
      pullRequestsPerDay: 3,
      automaticChanges: 3,
    });
  });

  test('SWITCH-1: gates enforce, new telemetry and doors at agents observe', () => {
    const { telemetry, gateway, hooks, ...gates } = config.switches;
    expect(Object.keys(gates)).toEqual(['identity', 'limits', 'vetting', 'deploy']);
    expect(new Set(Object.values(gates))).toEqual(new Set(['enforce']));
    expect([telemetry, gateway, hooks]).toEqual(['observe', 'observe', 'observe']);
  });

  test('SWITCH-1: the deploy gate, which nothing switches, may be written down with any mode', () => {
    const written = (mode: string) =>
      composeSections(honeSections).safeParse({ switches: { deploy: mode } } as never);
    for (const mode of ['enforce', 'observe', 'off']) expect(written(mode).success).toBe(true);
    expect(written('never').success).toBe(false);
  });

  test('ID-1: require needs a token at least', () => {
    expect(config.identity.verification).toEqual({ approve: 'local', require: 'token' });
    const weak = { identity: { verification: { require: 'local' } } };
    expect(composeSections(honeSections).safeParse(weak as never).success).toBe(false);
  });

  test('the server stays on the loopback address', () => {
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 4663, allowedHosts: [] });
  });

  test('every comment fits on one line of the file', () => {
    const tooLong: string[] = [];
    const visit = (schema: z.ZodObject, indent: number): void => {
      for (const child of Object.values(schema.shape)) {
        const { comment } = fieldNote(child);
        if (indent + 2 + comment.length > 80) tooLong.push(comment);
        const type = (child as Field).unwrap();
        if (type instanceof z.ZodObject) visit(type, indent + 2);
      }
    };
    for (const { schema } of honeSections as readonly Section[]) visit(schema, 2);
    expect(tooLong).toEqual([]);
    for (const { title } of honeSections) expect(title.length).toBeLessThanOrEqual(78);
  });
});
