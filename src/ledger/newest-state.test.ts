import { expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { openTestStore } from '../../test/stores.ts';
import { ownWords } from '../base/index.ts';
import type { Store } from '../store/index.ts';
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
  const plans: string[] = [];
  const explained: Pick<Store, 'all' | 'engine'> = {
    engine: store.engine,
    all: async (sql, values) => {
      const steps = await store.all(`EXPLAIN QUERY PLAN ${sql}`, values);
      plans.push(...steps.map(({ detail }) => String(detail)));
      return [];
    },
  };
  await newestState(explained, STOP_SUBJECT);
  await tokenEntries(explained);
  const byIndex = expect.stringContaining('USING INDEX ledger_entries_state');
  expect(plans).toEqual([byIndex, byIndex]);
});
