import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  collectorOf,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from '../telemetry.test-support.ts';
import { nodeSourceFiles } from './node-files.ts';

/** From coreutils. */
const MKFIFO = 'mkfifo';

describe('the machine’s files', () => {
  const open = telemetryPerTest('memory');
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hone-observe-'));
    mkdirSync(join(root, 'logs'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const collect = async (path: string) => {
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path }] };
    await using files = nodeSourceFiles(root);
    return await collectorOf(open().store, files, { settings }).collect();
  };

  test('a folder’s *.jsonl files are read in name order, others are not', async () => {
    writeFileSync(join(root, 'logs', 'b.jsonl'), toolCall(START_MS, { session_id: 'second' }));
    writeFileSync(join(root, 'logs', 'a.jsonl'), toolCall(START_MS, { session_id: 'first' }));
    writeFileSync(join(root, 'logs', 'notes.txt'), 'nonsense\n');
    mkdirSync(join(root, 'logs', 'folder.jsonl'));
    const { files } = await nodeSourceFiles(root).list('logs', { extensions: ['jsonl'] });
    expect(files.map(({ name }) => name)).toEqual(['a.jsonl', 'b.jsonl']);
    expect(await collect('logs')).toMatchObject({ events: 2, aside: 0, notes: [] });
    const rows = await open().store.all('SELECT session FROM observe_events ORDER BY id');
    expect(rows.map((row) => row['session'])).toEqual(['first', 'second']);
  });

  test('a link in a folder is not followed, and that is told', async () => {
    writeFileSync(join(root, 'secret.jsonl'), toolCall(START_MS));
    symlinkSync(join(root, 'secret.jsonl'), join(root, 'logs', 'link.jsonl'));
    symlinkSync('/nowhere', join(root, 'logs', 'dangling.jsonl'));
    expect(await collect('logs')).toMatchObject({
      events: 0,
      notes: ['agents: Links left out: 2. Only files of the folder itself are read.'],
    });
    // One that is put there between listing and opening is refused when it is opened.
    expect(await nodeSourceFiles(root).open(join(root, 'logs', 'link.jsonl'))).toBeUndefined();
  });

  test('a link that the configuration names is followed', async () => {
    writeFileSync(join(root, 'real.jsonl'), toolCall(START_MS));
    symlinkSync(join(root, 'real.jsonl'), join(root, 'current.jsonl'));
    expect(await collect('current.jsonl')).toMatchObject({ events: 1, notes: [] });
  });

  test('a file that is appended to and rotated by renaming is counted once', async () => {
    const path = join(root, 'logs', 'a.jsonl');
    writeFileSync(path, toolCall(START_MS));
    expect(await collect('logs')).toMatchObject({ events: 1 });
    appendFileSync(path, toolCall(START_MS + 1));
    renameSync(path, join(root, 'logs', 'a.1.jsonl'));
    writeFileSync(path, toolCall(START_MS + 2));
    expect(await collect('logs')).toMatchObject({ events: 2 });
    expect(await collect('logs')).toMatchObject({ events: 0 });
  });

  test('nothing, a pipe and what is no file are told and do not hang', async () => {
    expect(await collect('nothing.jsonl')).toMatchObject({
      notes: ['agents: There is nothing at its path yet.'],
    });
    expect(spawnSync(MKFIFO, [join(root, 'logs', 'pipe.jsonl')]).status).toBe(0);
    expect(await nodeSourceFiles(root).open(join(root, 'logs', 'pipe.jsonl'))).toBeUndefined();
    expect(await collect('logs')).toMatchObject({
      events: 0,
      notes: ['agents: Pipes, sockets and devices left out: 1.'],
    });
    expect(await collect('logs/pipe.jsonl')).toMatchObject({
      notes: ['agents: It is neither a file nor a folder.'],
    });
  });
});
