import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { draft, makeContent } from '../../test/proposals.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { digestOf } from '../base/index.ts';
import type {
  Attestation,
  AttestationKind,
  Change,
  MadeBy,
  ProposalState,
  Verdict,
} from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import {
  cycleParts,
  listFixes,
  ownOutcomes,
  PROJECTED_TABLES,
  projectEntry,
  recordFix,
  type Seen,
  triedChanges,
  whyClosed,
} from './index.ts';

const DAY_MS = 86_400_000;
const PATTERN = { id: 'pat_1', kind: 'timeout' } as const;

type Values = Pick<Extract<Change, { kind: 'set_value' }>, 'from' | 'to'>;

function ended(
  id: string,
  state: ProposalState,
  file = 'a.yaml',
  values: Values = { from: 1, to: 2 },
): Dossier {
  const change: Change = { kind: 'set_value', file, path: ['x'], ...values };
  const content = makeContent({ patternId: 'pat_1', change });
  return {
    content,
    attestations: [],
    proposal: {
      id,
      version: 9,
      state,
      digest: digestOf(content),
      title: content.title,
      createdAtMs: 0,
      changedAtMs: 0,
    },
  };
}

const decided = (of: Dossier): Attestation => said(of, 'decision', 'rejected');
const calledBack = (of: Dossier): Attestation => said(of, 'rollback', 'requested');

function said({ proposal }: Dossier, kind: AttestationKind, verdict: Verdict): Attestation {
  const { id: proposalId, digest } = proposal;
  const actor = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
  const made = draft(kind, verdict, digest, { actor });
  return { ...made, id: 'a_1', proposalId, atMs: 0 } as Attestation;
}

describe.each(['memory', 'postgres'] as const)('what is learnt, on %s', (kind) => {
  const open = storePerTest(kind);

  async function learn(dossier: Dossier, nowMs: number, seen?: Seen) {
    const given = { reason: 'it went so', nowMs, seen };
    const { writes = [], entries = [] } = recordFix(dossier, given);
    await open().store.commit({ writes, entries });
  }
  const tried = (nowMs: number) =>
    triedChanges(open().store, PATTERN, { nowMs, refusalHoldsMs: 7 * DAY_MS });
  const closedWith = async (nowMs: number) => (await tried(nowMs)).closedChanges;
  const closed = async (nowMs: number) => (await closedWith(nowMs)).map(({ change }) => change);

  test('only what a change did says whether its cause was right, and not for ever', async () => {
    const sure = (id: string, state: ProposalState, byClues: number) => {
      const dossier = ended(id, state);
      return { ...dossier, content: { ...dossier.content, byClues } };
    };
    await learn(sure('p_1', 'implemented', 0.9), 5, { outcome: 'proven' });
    await learn(sure('p_2', 'implemented', 0.8), 4, { outcome: 'held' });
    await learn(sure('p_3', 'reverted', 0.7), 3);
    const rejected = sure('p_4', 'rejected', 0.9);
    await learn({ ...rejected, attestations: [decided(rejected)] }, 2);
    await learn(ended('p_5', 'reverted'), 1);
    const wanted = [
      { stated: 0.9, isTrue: true },
      { stated: 0.8, isTrue: false },
      { stated: 0.7, isTrue: false },
    ];
    expect(await ownOutcomes(open().store, DAY_MS)).toEqual(wanted);
    expect(await ownOutcomes(open().store, 200 * DAY_MS)).toEqual([]);
  });

  test('each end has a sentence of its own, and only harm closes a change for good', async () => {
    await learn(ended('p_1', 'reverted', 'a'), 0);
    const rejected = ended('p_2', 'rejected', 'b');
    await learn({ ...rejected, attestations: [decided(rejected)] }, 0);
    await learn(ended('p_3', 'failed', 'c'), 0);
    const byHand = ended('p_4', 'reverted', 'd');
    await learn({ ...byHand, attestations: [calledBack(byHand)] }, 0);
    const words = Object.fromEntries(
      (await closedWith(DAY_MS)).map(({ change, why }) => [change, why]),
    );
    expect(words).toEqual({
      'a#x up':
        'This change was made before, did harm and was taken back on 1970-01-01 (p_1): it went so. It is not proposed again.',
      'b#x up':
        'A person rejected this change on 1970-01-01 (p_2): it went so. It is proposed again from 1970-01-08 at the earliest.',
      'c#x up':
        'The checks before a decision did not accept this change on 1970-01-01 (p_3): it went so. It is proposed again from 1970-01-08 at the earliest.',
      'd#x up':
        'A person took this change back on 1970-01-01 (p_4): it went so. It is proposed again from 1970-01-08 at the earliest.',
    });
    expect(await closed(8 * DAY_MS)).toEqual(['a#x up']);
  });

  test('a fix that failed is closed for good, one that was refused for a while, a proven one not', async () => {
    const proven = { outcome: 'proven' } as const;
    await learn(ended('p_1', 'reverted', 'a'), 0);
    await learn(ended('p_2', 'rejected', 'b'), 0);
    await learn(ended('p_3', 'failed', 'c'), 0);
    await learn(ended('p_4', 'implemented', 'd'), 0, proven);
    expect((await closed(6 * DAY_MS)).sort()).toEqual(['a#x up', 'b#x up', 'c#x up']);
    expect(await closed(8 * DAY_MS)).toEqual(['a#x up']);
    // What did harm is closed for every failure; the rest only for its own.
    const other = await triedChanges(
      open().store,
      { ...PATTERN, id: 'pat_2' },
      { nowMs: 0, refusalHoldsMs: 1 },
    );
    expect(other.closedChanges.map(({ change }) => change)).toEqual(['a#x up']);
  });

  test('LRN-1 a way to fix a kind of failure is known after three measured successes, wherever they were', async () => {
    const WAY = 'timeout constant-tune up';
    const made = (id: string, more: Partial<MadeBy> = {}, values?: Values) => {
      const dossier = ended(id, 'implemented', `${id}.yaml`, values);
      const madeBy = { generator: 'constant-tune', failure: 'timeout', layer: 'settings' } as const;
      return { ...dossier, content: { ...dossier.content, madeBy: { ...madeBy, ...more } } };
    };
    const known = async () => [...(await tried(9)).knownFixes];
    await learn(made('p_1'), 1, { outcome: 'proven' });
    await learn(made('p_2'), 2, { outcome: 'proven' });
    // None of these is a further success of this way.
    await learn(made('p_2'), 3, { outcome: 'proven' });
    await learn(made('p_3', { generator: 'put-back-value' }), 3, { outcome: 'proven' });
    await learn(made('p_4', { failure: 'rate_limit' }), 3, { outcome: 'proven' });
    await learn(made('p_5', {}, { from: 2, to: 1 }), 3, { outcome: 'proven' });
    await learn(made('p_6'), 3, { outcome: 'inconclusive' });
    expect(await known()).toEqual([]);
    await learn(made('p_7'), 4, { outcome: 'proven' });
    expect(await known()).toEqual([[WAY, 3]]);
    // One that held had something to show and did not; as often as not is no knowledge.
    for (const id of ['p_8', 'p_9']) await learn(made(id), 5, { outcome: 'held' });
    expect(await known()).toEqual([[WAY, 3]]);
    await learn({ ...made('p_10'), proposal: ended('p_10', 'reverted').proposal }, 6);
    expect(await known()).toEqual([]);
    // Measured again, it is not proven any more.
    await learn(made('p_1'), 7, { outcome: 'held' });
    for (const id of ['p_11', 'p_12', 'p_13']) await learn(made(id), 8, { outcome: 'proven' });
    expect(await known()).toEqual([[WAY, 5]]);
  });

  test('DIAG-7 what helped against a pattern that is alike is known of, unless it did harm there', async () => {
    const made = (id: string, generator: string) => {
      const dossier = ended(id, 'implemented', `${id}.yaml`);
      const madeBy = { generator, failure: 'timeout', layer: 'settings' } as const;
      return { ...dossier, content: { ...dossier.content, madeBy } };
    };
    await learn(made('p_1', 'constant-tune'), 1, { outcome: 'proven' });
    await learn(made('p_2', 'put-back-value'), 2, { outcome: 'held' });
    await learn(made('p_3', 'add-rule'), 3, { outcome: 'proven' });
    await learn({ ...made('p_4', 'add-rule'), proposal: ended('p_4', 'reverted').proposal }, 4);
    const hold = { nowMs: 9, refusalHoldsMs: 1 };
    const asked = async (like?: { id: string; similarity: number }) => {
      const about = { id: 'pat_9', kind: 'timeout', ...(like && { like }) } as const;
      return [...(await triedChanges(open().store, about, hold)).helpedAlike];
    };
    expect(await asked()).toEqual([]);
    expect(await asked({ id: 'pat_1', similarity: 0.9 })).toEqual(['timeout constant-tune up']);
    expect(await asked({ id: 'pat_2', similarity: 0.9 })).toEqual([]);
  });

  test('MON-3 one that only held is no known fix, and closes further steps of its value for 30 days', async () => {
    await learn(ended('p_1', 'implemented', 'a'), 0);
    expect(await listFixes(open().store, 'pat_1')).toMatchObject([{ outcome: 'held' }]);
    expect(await closed(29 * DAY_MS)).toEqual(['a#x up']);
    expect(await closed(31 * DAY_MS)).toEqual([]);
    await learn(ended('p_1', 'implemented', 'a'), DAY_MS, { outcome: 'proven' });
    expect(await closed(2 * DAY_MS)).toEqual([]);
    for (const outcome of ['inconclusive', 'cleared'] as const) {
      await learn(ended('p_1', 'implemented', 'a'), DAY_MS, { outcome });
      expect(await tried(2 * DAY_MS)).toEqual({
        closedChanges: [],
        knownFixes: new Map(),
        helpedAlike: new Set(),
        restored: [],
      });
    }
  });

  test('PROP-6 what did harm closes its setting and direction at that size, whatever the number is written like', async () => {
    const why = async (from: Values['from'], to: Values['to']) =>
      whyClosed({ kind: 'set_value', file: 'a', path: ['x'], from, to }, await closedWith(DAY_MS));
    await learn(ended('p_1', 'reverted', 'a', { from: '100s', to: '400s' }), 0);
    for (const to of ['400s', '900s', '380s', '210s'])
      expect(await why('100s', to), to).toContain('did harm and was taken back');
    // As far from another value, and not known to be smaller.
    expect(await why('390s', '400s')).toContain('did harm');
    expect(await why('100s', 'never')).toBeUndefined();
    // A much smaller step, and the other way.
    expect(await why('100s', '190s')).toBeUndefined();
    expect(await why('100s', '50s')).toBeUndefined();
    // Each that failed closes by its own size.
    await learn(ended('p_2', 'reverted', 'a', { from: '100s', to: '160s' }), 0);
    expect(await why('100s', '190s')).toContain('(p_2)');
    expect(await why('100s', '120s')).toBeUndefined();
    // From nothing it is the difference, and what cannot be compared is closed as a whole.
    await learn(ended('p_3', 'reverted', 'b', { from: 0, to: 4 }), 0);
    const retries = async (to: number) =>
      whyClosed(
        { kind: 'set_value', file: 'b', path: ['x'], from: 0, to },
        await closedWith(DAY_MS),
      );
    expect(await retries(3)).toContain('(p_3)');
    expect(await retries(2)).toBeUndefined();
  });

  test('a value that was put back is remembered as long as evidence may be older than that, whatever the pattern', async () => {
    await learn(ended('p_1', 'reverted', 'a'), 0);
    await learn(ended('p_2', 'reverted', 'b'), 1, { outcome: 'doubtful' });
    await learn(ended('p_3', 'reverted', 'c'), 2, { outcome: 'cleared' });
    await learn(ended('p_4', 'implemented', 'd'), 3);
    const hold = { nowMs: 13 * DAY_MS, refusalHoldsMs: 1 };
    const { restored } = await triedChanges(open().store, { ...PATTERN, id: 'pat_2' }, hold);
    expect(restored).toEqual([
      { change: 'b#x up', proposalId: 'p_2', atMs: 1 },
      { change: 'a#x up', proposalId: 'p_1', atMs: 0 },
    ]);
    expect((await tried(15 * DAY_MS)).restored).toEqual([]);
  });

  test('a trial that brought nothing closes trials as large for 30 days, and no fix', async () => {
    await learn(ended('p_1', 'reverted', 'a', { from: 800, to: 3200 }), 0, { outcome: 'vain' });
    const ask = (nowMs: number) =>
      triedChanges(open().store, { ...PATTERN, id: 'pat_2' }, { nowMs, refusalHoldsMs: DAY_MS });
    const { closedChanges, restored } = await ask(29 * DAY_MS);
    expect(closedChanges).toMatchObject([
      { isTrial: true, step: { from: 800, to: 3200 }, why: expect.stringContaining('Tried') },
    ]);
    expect(closedChanges[0]!.isRead).toBeUndefined();
    const change: Change = { kind: 'set_value', file: 'a', path: ['x'], from: 800, to: 3200 };
    expect(whyClosed(change, closedChanges)).toBeUndefined();
    expect(restored).toEqual([]);
    expect((await ask(DAY_MS)).restored).toHaveLength(1);
    expect((await ask(31 * DAY_MS)).closedChanges).toEqual([]);
  });

  test('held again, it counts from the first time', async () => {
    await learn(ended('p_1', 'implemented', 'a'), 0, { outcome: 'held' });
    await learn(ended('p_1', 'implemented', 'a'), 7 * DAY_MS, { outcome: 'held', isKnown: true });
    expect(await listFixes(open().store, 'pat_1')).toMatchObject([{ outcome: 'held', atMs: 0 }]);
    expect(await closed(29 * DAY_MS)).toEqual(['a#x up']);
    expect(await closed(31 * DAY_MS)).toEqual([]);
  });

  test('what held long ago does not crowd out what did harm', async () => {
    await learn(ended('p_0', 'reverted', 'a'), 0);
    const row = (id: string) => ({
      ...{ pattern_id: 'pat_9', change_key: 'b#x up', outcome: 'held', reason: '' },
      ...{ proposal_type: 'constant_tune', category: 'bugfix', decided_at_ms: null, at_ms: 1 },
      proposal_id: id,
    });
    const writes = Array.from({ length: 1000 }, (_, at) => ({
      insert: 'learn_fixes',
      row: row(`p_old_${at}`),
    }));
    await open().store.commit({ writes });
    const hold = { nowMs: 31 * DAY_MS, refusalHoldsMs: 1 };
    const { closedChanges } = await triedChanges(open().store, { ...PATTERN, id: 'pat_2' }, hold);
    expect(closedChanges.map(({ change }) => change)).toEqual(['a#x up']);
  });

  test('taken back in doubt it may be tried again once, after as long as a refusal holds', async () => {
    await learn(ended('p_1', 'reverted'), 0, { outcome: 'doubtful' });
    expect(await listFixes(open().store, 'pat_1')).toMatchObject([{ outcome: 'doubtful' }]);
    // What may have done harm is likely read.
    expect(await closedWith(6 * DAY_MS)).toMatchObject([{ change: 'a.yaml#x up', isRead: true }]);
    expect(await closed(8 * DAY_MS)).toEqual([]);
    await learn(ended('p_2', 'reverted', 'another up'), 8 * DAY_MS, { outcome: 'doubtful' });
    expect(await closed(99 * DAY_MS)).toEqual([]);
    await learn(ended('p_3', 'reverted'), 9 * DAY_MS, { outcome: 'doubtful' });
    expect(await closed(99 * DAY_MS)).toEqual(['a.yaml#x up']);
  });

  test('overtaken by others it was not tried, and is not held', async () => {
    await learn(ended('p_1', 'aborted'), 0, { outcome: 'overtaken' });
    expect(await listFixes(open().store, 'pat_1')).toMatchObject([{ outcome: 'overtaken' }]);
    expect(await closed(1)).toEqual([]);
  });

  test('a proven fix that is taken back later has failed', async () => {
    await learn(ended('p_1', 'implemented'), 0);
    await learn(ended('p_1', 'reverted'), 5);
    expect(await listFixes(open().store, 'pat_1')).toMatchObject([{ outcome: 'failed', atMs: 5 }]);
  });

  test('there is nothing to learn while it is under way', async () => {
    expect(recordFix(ended('p_1', 'monitoring'), { reason: '', nowMs: 0 }).writes).toBeUndefined();
  });

  test('the tables, dropped and folded from the ledger, are byte-equal', async () => {
    await learn(ended('p_1', 'implemented'), 1);
    await learn(ended('p_2', 'rejected', 'b'), 2);
    await learn(ended('p_1', 'reverted'), 3, { outcome: 'doubtful' });
    const { store } = open();
    await store.commit(
      cycleParts({ cycleId: 'c_1', patterns: 2, proposals: 1, lesson: 'so \u{1F600}', nowMs: 4 }),
    );
    const before = await dump(store);
    expect(before).toContain('c_1');
    await store.commit({
      writes: [
        { delete: 'learn_cycles', where: { cycle_id: 'c_1' } },
        ...['p_1', 'p_2'].map((id) => ({ delete: 'learn_fixes', where: { proposal_id: id } })),
      ],
    });
    for (const entry of await recorded(store)) await store.commit({ writes: projectEntry(entry) });
    expect(await dump(store)).toBe(before);
  });
});

async function dump(store: Store): Promise<string> {
  const tables = PROJECTED_TABLES.map((table) => store.all(`SELECT * FROM ${table} ORDER BY 1`));
  return JSON.stringify(await Promise.all(tables));
}
