import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { listCycles } from './cycle-store.ts';
import { cycleInsert } from './rebuild.ts';

describe.each(['memory', 'postgres'] as const)('cycles on %s', (kind) => {
  const open = storePerTest(kind);

  test('page by page each is listed once, the newest first, also where two began at once', async () => {
    const { store } = open();
    const begun = [1, 2, 2, 2, 3];
    await store.commit({
      writes: begun.map((atMs, at) => cycleInsert(`cy_${at}`, 'human', atMs)),
    });
    const listed: string[] = [];
    for (let before: string | undefined; ; before = listed.at(-1)) {
      const page = await listCycles(store, 2, before);
      if (page.length === 0) break;
      listed.push(...page.map(({ id }) => id));
    }
    expect(listed).toEqual(['cy_4', 'cy_3', 'cy_2', 'cy_1', 'cy_0']);
    expect(await listCycles(store, 2, 'cy_unknown')).toEqual([]);
  });
});
