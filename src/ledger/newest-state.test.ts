import { expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { openTestStore } from '../../test/stores.ts';
import { ownWords } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { LedgerView } from './ledger-view.ts';
import { newestState, STOP_SUBJECT, tokenEntries } from './newest-state.ts';

test('the newest entry is found by an index of its own, however long the ledger is', async () => {
  await using opened = await openTestStore('memory');
  const { store } = opened;
  expect(await newestState(store, STOP_SUBJECT)).toBeUndefined();
  const data = { reason: ownWords('a test'), by: 'command' } as const;
  for (const atMs of [1, 2])
    await store.commit({
      entries: [{ type: 'policy.stopped', actor: OPERATOR, subject: STOP_SUBJECT, data, atMs }],
    });
  expect(await newestState(store, STOP_SUBJECT)).toMatchObject({ index: 1 });
  const { explained, plans } = explaining(store);
  await newestState(explained, STOP_SUBJECT);
  await tokenEntries(explained);
  const byIndex = expect.stringContaining('USING INDEX ledger_entries_state');
  expect(plans).toEqual([byIndex, byIndex]);
});

test('what gates let a proposal pass is found by an index, and only that', async () => {
  await using opened = await openTestStore('memory');
  const { store } = opened;
  const about = (subject: string, gate: string): EntryDraft => ({
    type: 'policy.let_pass',
    actor: SYSTEM,
    subject,
    data: { gate, what: ownWords('a change'), why: ownWords('it only observes') },
  });
  const reason = ownWords('says "type":"policy.let_pass" too');
  const resumed = { type: 'policy.resumed', actor: SYSTEM, data: { reason } } as const;
  await store.commit({
    entries: [
      about('proposal:a', 'vetting'),
      about('proposal:b', 'vetting'),
      { ...resumed, subject: 'proposal:a' },
      about('proposal:a', 'approval'),
    ],
  });
  const asked = { subject: 'proposal:a', type: 'policy.let_pass', limit: 10 } as const;
  const found = await new LedgerView(store).entries(asked);
  expect(found.map(({ index }) => index)).toEqual([0, 3]);
  const { explained, plans } = explaining(store);
  await new LedgerView(explained).entries(asked);
  expect(plans).toEqual([expect.stringContaining('USING INDEX ledger_entries_let_pass')]);
});

/** Answers nothing, and notes how each question would be answered. */
function explaining(store: Store) {
  const plans: string[] = [];
  const explained: Pick<Store, 'all' | 'engine'> = {
    engine: store.engine,
    all: async (sql, values) => {
      const steps = await store.all(`EXPLAIN QUERY PLAN ${sql}`, values);
      plans.push(...steps.map(({ detail }) => String(detail)));
      return [];
    },
  };
  return { explained, plans };
}
