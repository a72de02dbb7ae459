import { describe, expect, test } from 'vitest';
import { draft, makeContent } from '../../test/proposals.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { digestOf } from '../base/index.ts';
import type { Attestation, ProposalContent, ProposalState } from '../facts/index.ts';
import { type Decided, pauseOf, pausesNow, recordFix, type Seen } from './index.ts';

const HOUR_MS = 3_600_000;
const TUNE = { generator: 'constant-tune', failure: 'timeout', layer: 'settings' } as const;
const LIMITS = {
  rejectionsBeforePause: 3,
  rejectionPauseMs: 48 * HOUR_MS,
  failurePauseMs: 24 * HOUR_MS,
};

describe.each(['memory', 'postgres'] as const)('PROP-7: pauses, on %s', (kind) => {
  const open = storePerTest(kind);
  let made = 0;

  async function ended(
    state: ProposalState,
    atHours: number,
    more: Partial<ProposalContent> & { seen?: Seen; endedAtHours?: number } = {},
  ): Promise<void> {
    const { seen, endedAtHours = atHours, ...given } = more;
    const content = makeContent({
      ...{ type: 'constant_tune', category: 'bugfix', madeBy: TUNE },
      ...given,
    });
    const digest = digestOf(content);
    const verdict = state === 'rejected' ? 'rejected' : 'approved';
    const said = draft('decision', verdict, digest, { actor: content.proposer });
    const decision = { ...said, id: 'att_1', atMs: atHours * HOUR_MS } as Attestation;
    const id = `p_${++made}`;
    const proposal = { id, version: 1, state, digest, title: '', createdAtMs: 0, changedAtMs: 0 };
    const { writes = [], entries = [] } = recordFix(
      { proposal, content, attestations: [decision] },
      { reason: 'so', nowMs: endedAtHours * HOUR_MS, seen },
    );
    await open().store.commit({ writes, entries });
  }

  const pausedAt = async (hours: number, underWay: readonly Decided[] = []) => {
    const change = { type: 'constant_tune', category: 'bugfix', madeBy: TUNE } as const;
    const question = { nowMs: hours * HOUR_MS, limits: LIMITS, underWay };
    const pause = await pauseOf(open().store, change, question);
    return pause === undefined ? undefined : pause.untilMs / HOUR_MS;
  };

  test('three rejections in a row pause a generator for 48 hours after the last', async () => {
    for (const hours of [1, 2]) await ended('rejected', hours);
    expect(await pausedAt(3)).toBeUndefined();
    await ended('rejected', 3);
    expect(await pausedAt(4)).toBe(51);
    expect(await pausedAt(50.9)).toBe(51);
    expect(await pausedAt(51)).toBeUndefined();
  });

  test('an approval in between breaks the row, also of a change that is still under way', async () => {
    await ended('rejected', 1);
    await ended('implemented', 2, { endedAtHours: 26 });
    for (const hours of [3, 4]) await ended('rejected', hours);
    expect(await pausedAt(27)).toBeUndefined();
    await ended('rejected', 5);
    expect(await pausedAt(27)).toBe(53);
    const approved = { generator: 'constant-tune', atMs: 4.5 * HOUR_MS, rejected: false };
    expect(await pausedAt(27, [approved])).toBeUndefined();
    expect(await pausedAt(27, [{ ...approved, generator: 'add-rule' }])).toBe(53);
  });

  test('the rejections of another generator do not count', async () => {
    // Also where its changes are of the same type.
    const madeBy = { ...TUNE, generator: 'put-back-value' };
    for (const hours of [1, 2, 3]) await ended('rejected', hours, { madeBy });
    expect(await pausedAt(4)).toBeUndefined();
    const question = { nowMs: 4 * HOUR_MS, limits: LIMITS, underWay: [] };
    expect(await pausesNow(open().store, question)).toEqual([
      {
        of: { generator: 'put-back-value' },
        untilMs: 51 * HOUR_MS,
        why: 'the last 3 proposals of put-back-value were rejected, so it pauses until 1970-01-03 03:00 UTC',
      },
    ]);
  });

  test('what no generator made goes by its type', async () => {
    for (const hours of [1, 2, 3]) await ended('rejected', hours, { madeBy: undefined });
    expect(await pausedAt(4)).toBeUndefined();
    const question = { nowMs: 4 * HOUR_MS, limits: LIMITS, underWay: [] };
    const submitted = { type: 'constant_tune', category: 'bugfix' } as const;
    expect((await pauseOf(open().store, submitted, question))?.untilMs).toBe(51 * HOUR_MS);
  });

  test('harm of its own pauses the category for 24 hours, doubt and other categories do not', async () => {
    await ended('reverted', 1, { seen: { outcome: 'doubtful' } });
    await ended('reverted', 2, { category: 'optimization' });
    expect(await pausedAt(3)).toBeUndefined();
    await ended('reverted', 4, { type: 'skill_improve' });
    expect(await pausedAt(5)).toBe(28);
    expect(await pausedAt(28)).toBeUndefined();
  });

  test('a deployment that failed pauses the category for 24 hours; one that was overtaken or given up does not', async () => {
    await ended('aborted', 1, { seen: { outcome: 'overtaken' } });
    await ended('aborted', 1);
    expect(await pausedAt(2)).toBeUndefined();
    await ended('aborted', 3, { seen: { outcome: 'undeployed' } });
    expect(await pausedAt(4)).toBe(27);
    expect(await pausedAt(27)).toBeUndefined();
  });
});
