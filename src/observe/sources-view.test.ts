import { describe, expect, test } from 'vitest';
import { asideGroups, readSources } from './sources-view.ts';
import {
  collectorOf,
  MemoryFiles,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';

describe.each(['memory', 'postgres'] as const)('sources on %s', (kind) => {
  const open = telemetryPerTest(kind);

  test('nothing was read, nothing is told', async () => {
    const { store } = open();
    expect(await readSources(store)).toEqual([]);
    expect(await asideGroups(store)).toEqual([]);
  });

  test('what each brought is counted over many batches, with the newest event and reading', async () => {
    const { store, clock } = open();
    const sources = ['one', 'two'].map((name) => ({ name, kind: 'jsonl', path: name }));
    const files = new MemoryFiles().append('one', toolCall(START_MS).repeat(1200));
    files.append('two', 'nonsense\n');
    const collector = collectorOf(store, files, { settings: { ...SETTINGS, sources } });
    await collector.collect();
    clock.advance(1000);
    files.append('one', `${toolCall(START_MS - 5000)}${toolCall(START_MS + 9)}nonsense\n`);
    await collector.collect();
    expect(await readSources(store)).toEqual([
      {
        source: 'one',
        events: 1202,
        aside: 1,
        folded: 0,
        sampled: 0,
        overheadShare: expect.any(Number),
        lastEventMs: START_MS + 9,
        lastReadMs: START_MS + 1000,
      },
      {
        source: 'two',
        events: 0,
        aside: 1,
        folded: 0,
        sampled: 0,
        overheadShare: null,
        lastEventMs: null,
        lastReadMs: START_MS,
      },
    ]);
  });

  test('reasons are grouped, with the number of the newest line, over batches and blank lines', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    const good = toolCall(START_MS);
    files.append(
      'events.jsonl',
      `\n${good.repeat(700)}nonsense\n\n{"x":"${'y'.repeat(70_000)}"}\n`,
    );
    await collectorOf(store, files).collect();
    files.append('events.jsonl', `${good}nonsense\n${toolCall(START_MS, { prompt: 'hush' })}`);
    await collectorOf(store, files).collect();
    const groups = await asideGroups(store);
    expect(groups.map(({ reason, lines, line }) => ({ reason, lines, line }))).toEqual([
      { reason: 'not_json', lines: 2, line: 706 },
      { reason: 'not_an_event', lines: 1, line: 707 },
      { reason: 'too_long', lines: 1, line: 704 },
    ]);
    expect(JSON.stringify(groups)).not.toContain('hush');
  });
});
