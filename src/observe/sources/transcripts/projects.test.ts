import { describe, expect, test } from 'vitest';
import { sourceEntry } from '../../config-section.ts';
import { SOURCES } from '../../sources.ts';
import {
  collectorOf,
  MemoryFiles,
  SETTINGS,
  telemetryPerTest,
} from '../../telemetry.test-support.ts';
import { Session } from '../claude-code/lines.test-support.ts';
import { projectsKey, takenBy } from './projects.ts';

const ROOT = '/home/dev/shop';

describe('OBS-2 whose sessions are taken', () => {
  const open = telemetryPerTest('memory');

  test.each([
    ['/home/dev/shop', true],
    ['/home/dev/shop/', true],
    ['/home/dev//shop/packages/api', true],
    ['/home/dev/shop/../shop', true],
    ['/home/dev/shop-old', false],
    ['/home/dev', false],
    ['/home/dev/shop/../other', false],
    ['', false],
    ['x'.repeat(100_000), false],
  ])('those of the target and below it: %s', (cwd, isTaken) => {
    expect(takenBy('target', ROOT)(cwd)).toBe(isTaken);
  });

  test('all, if the settings say so or there is no target', () => {
    expect(takenBy('all', ROOT)('/elsewhere')).toBe(true);
    expect(takenBy('target', undefined)('/elsewhere')).toBe(true);
  });

  test('those of another folder, if the settings name it', () => {
    expect(takenBy('/srv/api', ROOT)('/srv/api/src')).toBe(true);
    expect(takenBy('/srv/api', ROOT)(ROOT)).toBe(false);
  });

  test('however the same folder is written', () => {
    expect(takenBy('target', '/tmp/x')('/private/tmp/x')).toBe(true);
    expect(takenBy('target', '/x/caf\u00e9')('/x/cafe\u0301/src')).toBe(true);
    expect(takenBy('target', 'C:\\Work\\Shop')('c:/work/shop/src')).toBe(true);
    expect(takenBy('target', '/')('/anything')).toBe(true);
  });

  test('the collector knows the target’s folder', async () => {
    const session = (cwd: string) => {
      const s = new Session({ cwd, sessionId: cwd });
      return [s.calls(cwd, 'Read', {}, { id: undefined }), s.gets(cwd, 'x')];
    };
    const lines = [...session(ROOT), ...session('/home/dev/other')];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const source = { name: 'cc', kind: 'claude-code', path: 'a.jsonl' };
    const events = async (name: string, options: object, more: object = {}) => {
      const files = new MemoryFiles().append('a.jsonl', text);
      const settings = { ...SETTINGS, sources: [{ ...source, name, ...more }] };
      return (await collectorOf(open().store, files, { settings, ...options }).collect()).events;
    };
    expect(await events('own', { root: ROOT })).toBe(1);
    expect(await events('all', { root: ROOT }, { projects: 'all' })).toBe(2);
    expect(await events('none', {})).toBe(2);
  });

  test('other kinds of source do not have the key', () => {
    const entry = sourceEntry(SOURCES);
    expect(entry.parse({ name: 'a', path: 'logs' })).toEqual({
      name: 'a',
      kind: 'jsonl',
      path: 'logs',
    });
    for (const kind of ['claude-code', 'codex'])
      expect(entry.parse({ name: 'a', kind, path: 'x', projects: 'all' })).toMatchObject({ kind });
    expect(entry.safeParse({ name: 'a', path: 'x', projects: 'all' }).success).toBe(false);
  });

  test('the settings take nothing else', () => {
    expect(takenBy(undefined, ROOT)('/elsewhere')).toBe(false);
    for (const good of [undefined, 'target', 'all', '/srv/api', 'C:\\Work'])
      expect(projectsKey.safeParse(good).success).toBe(true);
    for (const bad of ['', 'mine', 'src/api', 7])
      expect(projectsKey.safeParse(bad).success).toBe(false);
  });
});
