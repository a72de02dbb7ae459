import { describe, expect, test } from 'vitest';
import { ManualClock } from '../src/base/index.ts';
import { decidePending, isAtWork, type Person, takeBackAsked } from './approvers.ts';
import type { LabInstallation, Ran } from './installation.ts';
import { bundledScenario } from './scenario-files.ts';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const ran = (exit: number, value: unknown = {}): Ran => ({
  exit,
  out: JSON.stringify(value),
  err: '',
  json: <T>() => value as T,
});

/** A Hone that answers as it is told to, and keeps what it was asked. */
function person(answer: (args: string[]) => Ran, over: Partial<Person> = {}) {
  const asked: string[][] = [];
  const hone = async (...args: string[]) => {
    asked.push(args);
    return answer(args);
  };
  const honeAs = async (_: string, ...args: string[]) => hone(...args);
  const lab = { clock: new ManualClock(NOON), hone, honeAs } as unknown as LabInstallation;
  const scenario = bundledScenario('healthy');
  const decisions = () =>
    asked.filter(([verb]) => ['approve', 'reject', 'rollback'].includes(verb!));
  return { one: { kind: 'blind', lab, scenario, secret: 's', ...over } as Person, decisions };
}

describe('deciding', () => {
  test('what comes to wait while something is approved is decided too', async () => {
    let pending = [{ id: 'p1', digest: 'd1' }];
    const { one, decisions } = person(([verb, id]) => {
      if (verb === 'approve') pending = id === 'p1' ? [{ id: 'p2', digest: 'd2' }] : [];
      return ran(0, { proposals: pending });
    });
    expect(await decidePending(one)).toEqual({ decided: 2, rejected: 0, isLeft: false });
    expect(decisions().map(([, id]) => id)).toEqual(['p1', 'p2']);
  });

  test('a refusal is an answer, and what then still waits is left for later', async () => {
    const proposals = [{ id: 'p1', digest: 'd1' }];
    const { one } = person(([verb]) => (verb === 'approve' ? ran(1) : ran(0, { proposals })));
    expect(await decidePending(one)).toEqual({ decided: 1, rejected: 0, isLeft: true });
    const broken = person(([verb]) => (verb === 'approve' ? ran(70) : ran(0, { proposals })));
    await expect(decidePending(broken.one)).rejects.toThrow('hone ended with 70');
  });

  test.each([
    ['passed', 'full', undefined, 'approve'],
    ['inconclusive', 'full', undefined, 'reject'],
    ['inconclusive', 'full', 'not_reproduced', 'approve'],
    ['inconclusive', 'full', 'touches_judge', 'reject'],
    ['inconclusive', 'censored', undefined, 'reject'],
    ['inconclusive', 'censored', 'unknown_ends', 'approve'],
    ['inconclusive', 'none', undefined, 'approve'],
    ['failed', 'none', undefined, 'reject'],
  ] as const)(
    'a person who reads: %s with a replay that knows %s, unjudged %s: %s',
    async (validation, replay, unjudged, verb) => {
      const replayed = { kind: 'validation', mode: 'replay', unjudged };
      const attestations = replay === 'none' ? [] : [replayed];
      let proposals = [{ id: 'p1', digest: 'd1' }];
      const { one, decisions } = person(
        ([first, second]) => {
          if (second === 'show') return ran(0, { validation, attestations });
          if (first !== 'proposals') proposals = [];
          return ran(0, { proposals });
        },
        { kind: 'scripted', scenario: { ...bundledScenario('healthy'), replay } },
      );
      const { rejected } = await decidePending(one);
      expect(rejected).toBe(verb === 'reject' ? 1 : 0);
      expect(decisions().map(([first]) => first)).toEqual([verb]);
    },
  );

  test('is done at work by who reads, and at any time by who does not', () => {
    const { one } = person(() => ran(0), { kind: 'scripted' });
    expect(isAtWork(one)).toBe(true);
    const night = { ...one.lab, clock: new ManualClock(NOON + 9 * 3_600_000) } as LabInstallation;
    expect(isAtWork({ ...one, lab: night })).toBe(false);
    expect(isAtWork({ ...one, lab: night, kind: 'blind' })).toBe(true);
  });
});

describe('taking back', () => {
  test('what Hone asks for is taken back with its reason, the rest stays', async () => {
    const changes = [
      { id: 'p1', rollback: null },
      { id: 'p2', rollback: { why: 'the partner fails', since: '2026-03-02T10:00:00Z' } },
    ];
    const { one, decisions } = person(() => ran(0, { changes }));
    expect(await takeBackAsked(one)).toBe(true);
    expect(decisions()).toEqual([['rollback', 'p2', '--reason', 'the partner fails', '--json']]);
  });

  test('a Hone that does not ask is let alone', async () => {
    const { one, decisions } = person(() => ran(2));
    expect(await takeBackAsked(one)).toBe(false);
    expect(decisions()).toEqual([]);
  });
});
