import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { ownWords } from '../base/index.ts';
import { digestsOf, driftOf, planAttest, readAttested } from './index.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

const files = (agents: string | undefined, claude: string | undefined) =>
  digestsOf(
    new Map([
      ['AGENTS.md', agents === undefined ? undefined : Buffer.from(agents)],
      ['CLAUDE.md', claude === undefined ? undefined : Buffer.from(claude)],
    ]),
  );

test('PROC-5 a file that is no longer looked for is drift as well', () => {
  const { 'AGENTS.md': agents } = files('a', 'c');
  const attested = { version: 1, files: files('a', 'c') };
  expect(driftOf(attested, { 'AGENTS.md': agents! })).toEqual([
    { what: 'CLAUDE.md', expectedDigest: attested.files['CLAUDE.md'], foundDigest: null },
  ]);
});

describe.each(['memory', 'postgres'] as const)('PROC-5 instruction files on %s', (kind) => {
  const open = storePerTest(kind);

  test('that change, come or go are drift, until the next version is accepted', async () => {
    const { store } = open();
    const attest = async (given: ReturnType<typeof files>) => {
      const before = await readAttested(store, 't');
      const rest = { reason: ownWords('test'), nowMs: await store.nowMs() };
      const actor = { kind: 'human', id: 'ada', verified: 'token' } as const;
      return store.commit(planAttest({ taskId: 't', before, files: given, actor, ...rest }));
    };
    await attest(files('a', undefined));
    const first = (await readAttested(store, 't'))!;
    const drift = (given: ReturnType<typeof files>) =>
      driftOf(first, given).map(({ what }) => what);
    expect(drift(files('a', undefined))).toEqual([]);
    expect(drift(files('b', undefined))).toEqual(['AGENTS.md']);
    expect(drift(files(undefined, 'new'))).toEqual(['AGENTS.md', 'CLAUDE.md']);
    await attest(files('b', undefined));
    const second = (await readAttested(store, 't'))!;
    expect([second.version, driftOf(second, files('b', undefined))]).toEqual([2, []]);
    // Two at once: one of them is refused.
    const rest = {
      reason: ownWords('test'),
      nowMs: 0,
      actor: { kind: 'human', id: 'b', verified: 'token' },
    } as const;
    const late = planAttest({ taskId: 't', before: first, files: files('c', 'c'), ...rest });
    expect(await store.commit(late)).toMatchObject({ committed: false });

    const rows = await store.all(`SELECT * FROM ${PROJECTED_TABLES[0]} ORDER BY version`);
    for (const { version } of rows)
      await store.commit({
        writes: [{ delete: 'prompt_attestations', where: { task_id: 't', version: version! } }],
      });
    for (const entry of await recorded(store)) await store.commit({ writes: projectEntry(entry) });
    expect(await store.all(`SELECT * FROM ${PROJECTED_TABLES[0]} ORDER BY version`)).toEqual(rows);
  });
});
