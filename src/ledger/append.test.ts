import { describe, expect, test } from 'vitest';
import { placeAll, recorded } from '../../test/ledger.ts';
import { openTestStore } from '../../test/stores.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { type CleanText, canonicalJson, digestOfBytes, isoTime } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { LedgerView, verifyLedger } from './index.ts';

const entry = (reason: string): EntryDraft => ({
  type: 'policy.resumed',
  actor: { kind: 'human', id: 'operator@example.org', verified: 'local' },
  subject: 'hone:stop',
  data: { reason: reason as CleanText },
});

describe.each(['memory', 'postgres'] as const)('LEDGER-1 appending on %s', (kind) => {
  const open = storePerTest(kind);
  const row = (consumer: string) => ({
    insert: 'ledger_cursors',
    row: { consumer, position: 1 },
  });

  test('an entry keeps time, actor, subject, payload and artifact hashes, as canonical JSON', async () => {
    const artifacts = [digestOfBytes('a'), digestOfBytes('b')];
    await open().store.commit({ entries: [{ ...entry('ü \u{1F600} "\\'), artifacts }] });
    await placeAll(open().store);
    const { index, body, entry: read } = await new LedgerView(open().store).entry(0);
    expect(index).toBe(0);
    expect(read).toEqual({
      v: 1,
      at: isoTime(open().clock.nowMs()),
      ...entry('ü \u{1F600} "\\'),
      artifacts,
    });
    expect(body).toBe(canonicalJson(read as never));
  });

  test('entries of a plan stand together with its change, in its order, and verify', async () => {
    for (let plan = 0; plan < 5; plan++) {
      const entries = [entry(`${plan} first`), entry(`${plan} second`)];
      await open().store.commit({ writes: [row(`${plan}`)], entries });
    }
    const read = await recorded(open().store);
    expect(read.map(({ data }) => data['reason'])).toEqual(
      [0, 1, 2, 3, 4].flatMap((plan) => [`${plan} first`, `${plan} second`]),
    );
    expect(await verifyLedger(open().store, { known: [] })).toMatchObject({ ok: true, size: 10 });
  });

  test.each([
    ['a payload that its schema does not allow', { data: { reason: 1 } }, 'bad_payload'],
    ['a payload with a field too many', { data: { reason: 'x', extra: 1 } }, 'bad_payload'],
    ['a payload that is too long', { data: { reason: 'x'.repeat(4001) } }, 'bad_payload'],
    ['a subject without a kind', { subject: 'stop' }, 'bad_payload'],
    ['a subject of another alphabet', { subject: 'Hone:stop' }, 'bad_payload'],
    ['a subject that is too long', { subject: `hone:${'x'.repeat(300)}` }, 'bad_payload'],
    ['a subject with a line break', { subject: 'hone:a\nb' }, 'bad_payload'],
    ['a subject with half a character', { subject: 'hone:\ud800' }, 'bad_payload'],
    ['an actor without a name', { actor: { ...SYSTEM, id: '' } }, 'bad_payload'],
    ['an artifact that is not a digest', { artifacts: ['x'] }, 'bad_payload'],
    ['a time past the year 9999', { atMs: 253_402_300_800_000 }, 'bad_time'],
    ['a time that no calendar has', { atMs: 1e300 }, 'bad_time'],
    ['a time before 1970', { atMs: -1 }, 'bad_time'],
    ['no time', { atMs: Number.NaN }, 'bad_time'],
    [
      'more than 64 KiB',
      { artifacts: Array.from({ length: 1000 }, (_, at) => digestOfBytes(`${at}`)) },
      'too_large',
    ],
  ])('%s is refused, and nothing of its plan is written', async (_, broken, code) => {
    const bad = { ...entry('fine'), ...broken } as EntryDraft;
    const plan = {
      writes: [row('nothing')],
      entries: [entry('before'), bad],
      effects: [{ key: 'k', destination: 'd', payload: null, step: 'notify' as const }],
    };
    const commit = Promise.resolve().then(() => open().store.commit(plan));
    await expect(commit).rejects.toMatchObject({ code });
    expect(await recorded(open().store)).toEqual([]);
    expect(await open().store.all('SELECT 1 FROM ledger_cursors')).toEqual([]);
    expect(await open().store.all('SELECT 1 FROM outbox_effects')).toEqual([]);
    await open().store.commit({ entries: [entry('after')] });
    expect(await recorded(open().store)).toHaveLength(1);
  });

  test('the first and the last time there can be are read back', async () => {
    const times = [0, 253_402_300_799_999];
    await open().store.commit({ entries: times.map((atMs) => ({ ...entry('x'), atMs })) });
    const read = await recorded(open().store);
    expect(read.map(({ at }) => at)).toEqual([
      '1970-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });

  test('entries are found by subject, in both directions', async () => {
    const entries = Array.from({ length: 9 }, (_, at) => ({
      ...entry(`${at}`),
      subject: `hone:${at % 3}`,
    }));
    await open().store.commit({ entries });
    await placeAll(open().store);
    const view = new LedgerView(open().store);
    const found = async (filter: object) =>
      (await view.entries({ limit: 9, ...filter })).map(({ index }) => index);
    expect(await found({ subject: 'hone:1' })).toEqual([1, 4, 7]);
    expect(await found({ subject: 'hone:1', from: 2, newestFirst: true })).toEqual([7, 4]);
    expect(await found({ from: 3, limit: 2 })).toEqual([3, 4]);
    await expect(view.entry(9)).rejects.toMatchObject({ code: 'out_of_range' });
  });
});

describe.each(['file', 'postgres'] as const)('LEDGER-1 on %s', (kind) => {
  test('a ledger written by several openers in turn is one ledger', async () => {
    await using opened = await openTestStore(kind);
    for (let round = 0; round < 6; round++) {
      const other = round % 2 === 0 ? opened.store : await opened.open();
      await other.commit({ entries: [entry(`${round}`), entry(`${round} again`)] });
      await placeAll(other);
      await opened.store.commit({ entries: [entry('between')] });
      await placeAll(opened.store);
    }
    expect(await verifyLedger(opened.store, { known: [] })).toMatchObject({ ok: true, size: 18 });
  });
});
