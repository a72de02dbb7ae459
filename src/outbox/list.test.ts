import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { listEffects } from './index.ts';

describe.each(['memory', 'postgres'] as const)('effects on %s', (kind) => {
  const open = storePerTest(kind);

  test('page by page each is listed once, the newest first, of one state or of all', async () => {
    const { store } = open();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys)
      await store.commit({
        effects: [{ key, destination: 'there', payload: {}, step: 'notify' }],
      });
    for (const states of [[], ['queued']] as const) {
      const listed: string[] = [];
      for (let before: string | undefined; ; before = listed.at(-1)) {
        const page = await listEffects(store, { states, before, limit: 2 });
        if (page.length === 0) break;
        listed.push(...page.map(({ key }) => key));
      }
      expect(listed).toEqual(keys.toReversed());
    }
    expect(await listEffects(store, { states: ['dead'], before: 'e', limit: 2 })).toEqual([]);
  });
});
