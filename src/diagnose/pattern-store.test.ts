import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { Pattern } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { COMMIT, group, LIMITS, RESEARCHER, settingsOf, WINDOW } from './failures.test-support.ts';
import { findPatterns } from './find-patterns.ts';
import {
  findPattern,
  forgetPlan,
  ignoredPatterns,
  ignorePlan,
  knownPatterns,
  listPatterns,
  mergedPatterns,
  mergePlan,
  PROJECTED_TABLES,
  patternParts,
  projectEntry,
  readPattern,
} from './index.ts';

const PERSON = { kind: 'human', id: 'kim', verified: 'local' } as const;

function patternsOf(...failures: number[]): readonly Pattern[] {
  return findPatterns({
    window: WINDOW,
    groups: failures.map((count, at) => group({ agent: `agent ${at} \u{1F600}`, failures: count })),
    settings: settingsOf('tools/web_search.yaml', RESEARCHER),
    commit: COMMIT,
    commits: [],
    limits: LIMITS,
    known: [],
  }).patterns;
}

describe.each(['memory', 'postgres'] as const)('patterns on %s', (kind) => {
  const open = storePerTest(kind);
  const keep = (cycleId: string, patterns: readonly Pattern[]) =>
    open().store.commit(patternParts({ cycleId, patterns, nowMs: open().clock.nowMs() }));

  test('come back whole, with an entry that names the artifact', async () => {
    const [pattern] = patternsOf(412);
    await keep('cy_1', [pattern!]);
    expect(await readPattern(open().store, pattern!.id)).toEqual(pattern);
    expect(await readPattern(open().store, 'pat_none')).toBeUndefined();
    const [row] = await listPatterns(open().store);
    const foundAtMs = open().clock.nowMs();
    expect(row).toMatchObject({
      id: pattern!.id,
      cycleId: 'cy_1',
      score: pattern!.score,
      foundAtMs,
    });
    expect(await recorded(open().store)).toMatchObject([
      {
        type: 'diagnose.pattern_found',
        actor: { kind: 'system' },
        subject: `pattern:${pattern!.id}`,
        data: { patternDigest: row!.digest, cycleId: 'cy_1', layer: pattern!.layer },
        artifacts: [row!.digest],
      },
    ]);
  });

  test('found again, the row is the newest; the ledger keeps both', async () => {
    await keep('cy_1', patternsOf(412));
    open().clock.advance(1000);
    await keep('cy_2', patternsOf(900));
    const rows = await listPatterns(open().store);
    expect(rows).toMatchObject([{ cycleId: 'cy_2', occurrences: 900 }]);
    expect(await recorded(open().store)).toHaveLength(2);
    expect((await readPattern(open().store, rows[0]!.id))!.occurrences).toBe(900);
  });

  test('page by page each is listed once, in the order of the whole list', async () => {
    await keep('cy_1', patternsOf(412, 412, 500));
    open().clock.advance(1000);
    const [again] = patternsOf(412);
    await keep('cy_2', [again!]);
    const { store } = open();
    const all = (await listPatterns(store)).map(({ id }) => id);
    const paged: string[] = [];
    for (let before: string | undefined; ; before = paged.at(-1)) {
      const page = await listPatterns(store, 1, before);
      if (page.length === 0) break;
      paged.push(...page.map(({ id }) => id));
    }
    expect(paged).toEqual(all);
    expect(paged).toHaveLength(3);
    expect(paged[0]).toBe(again!.id);
  });

  test('are known to the next diagnosis', async () => {
    const patterns = patternsOf(412, 500);
    await keep('cy_1', patterns);
    const known = await knownPatterns(open().store);
    expect(known.map(({ id }) => id).sort()).toEqual(patterns.map(({ id }) => id).sort());
    expect(Object.keys(known[0]!).sort()).toEqual(
      ['agent', 'errorCode', 'id', 'kind', 'template', 'tool'].sort(),
    );
    expect(await listPatterns(open().store, 1)).toHaveLength(1);
  });

  test('the table, dropped and folded from the ledger, is byte-equal', async () => {
    for (const failures of [412, 500, 333]) {
      await keep(`cy_${failures}`, patternsOf(failures, failures + 7));
      open().clock.advance(77);
    }
    const { store } = open();
    const by = { actor: PERSON, reason: 'known', nowMs: open().clock.nowMs() };
    const [first, second] = await listPatterns(store);
    await store.commit(ignorePlan(first!.id, by));
    await store.commit(ignorePlan(second!.id, by));
    await store.commit(forgetPlan(second!.id, by));
    expect([...(await ignoredPatterns(store)).keys()]).toEqual([first!.id]);
    expect(await findPattern(store, second!.id)).toEqual([]);
    const third = 'pat_third';
    await store.commit(mergePlan(third, first!.id, by));
    expect([...(await mergedPatterns(store))]).toEqual([[third, first!.id]]);
    const before = await dump(store);
    expect(before.length).toBeGreaterThan(400);
    for (const row of await store.all('SELECT id FROM diagnose_patterns'))
      await store.commit({ writes: [{ delete: 'diagnose_patterns', where: { id: row['id']! } }] });
    await store.commit({
      writes: [
        { delete: 'diagnose_ignored', where: { pattern_id: first!.id } },
        { delete: 'diagnose_merged', where: { pattern_id: third } },
      ],
    });
    expect(await dump(store)).not.toContain('pat_');
    for (const entry of await recorded(store)) await store.commit({ writes: projectEntry(entry) });
    expect(await dump(store)).toBe(before);
    await store.commit(forgetPlan(first!.id, by));
    expect((await mergedPatterns(store)).size).toBe(0);
  });
});

async function dump(store: Store): Promise<string> {
  const tables = PROJECTED_TABLES.map((table) => store.all(`SELECT * FROM ${table} ORDER BY 1`));
  return JSON.stringify(await Promise.all(tables));
}
