/** What is looked at before anything is configured, and what stays closed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asNobody } from '../../test/as-nobody.ts';
import { findFiles } from './survey-files.ts';

const MKFIFO = 'mkfifo';
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hone-survey-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'x\n');
  }
}

async function found(...paths: string[]) {
  const { files, ...rest } = await findFiles(paths, { cwd: root, home: root });
  return { ...rest, files: files.map(({ path }) => path.slice(root.length + 1)).sort() };
}

test('of a coding agent’s folder only transcripts are found, wherever one begins', async () => {
  write(
    '.claude/projects/-work-app/s1.jsonl',
    '.claude/projects/-work-app/s1/subagents/agent-1.jsonl',
    '.claude/.credentials.json',
    '.claude/history.jsonl',
    '.claude/settings.json',
    '.claude/projects/-work-app/memory.md',
    '.codex/sessions/2026/03/02/rollout-1.jsonl',
    '.codex/archived_sessions/rollout-2.jsonl.zst',
    '.codex/auth.json',
    '.codex/history.jsonl',
  );
  const claude = [
    '.claude/projects/-work-app/s1.jsonl',
    '.claude/projects/-work-app/s1/subagents/agent-1.jsonl',
  ];
  const codex = [
    '.codex/archived_sessions/rollout-2.jsonl.zst',
    '.codex/sessions/2026/03/02/rollout-1.jsonl',
  ];
  expect(await found('~/.claude')).toMatchObject({ files: claude, kept: 4 });
  expect((await found('~/.claude/projects')).files).toEqual(claude);
  expect((await found('.')).files).toEqual([...claude, ...codex]);
  expect(await found('~/.codex')).toMatchObject({ files: codex, kept: 2 });
  expect(await found('.claude/history.jsonl')).toMatchObject({ files: [], kept: 1 });
});

test('a copy of such a folder under another name is known by what it holds', async () => {
  write('copy/projects/a/s.jsonl', 'copy/history.jsonl', 'copy/settings.json');
  write('other/sessions/rollout-1.jsonl', 'other/auth.json', 'other/log/codex.log');
  expect((await found('copy')).files).toEqual(['copy/projects/a/s.jsonl']);
  expect((await found('other')).files).toEqual(['other/sessions/rollout-1.jsonl']);
});

test('links, loops of links, pipes and hidden files are passed over and counted', async () => {
  write('logs/a.log', 'logs/.env', 'logs/deep/er/b.log', 'logs/node_modules/c.log');
  symlinkSync(join(root, 'logs'), join(root, 'logs/deep/loop'));
  symlinkSync('/etc/passwd', join(root, 'logs/passwd.log'));
  execFileSync(MKFIFO, [join(root, 'logs/pipe.log')]);
  expect(await found('logs')).toMatchObject({
    files: ['logs/a.log', 'logs/deep/er/b.log'],
    links: 2,
    special: 1,
    isCut: false,
  });
  // Named by itself, it may be a link; a pipe is never opened.
  symlinkSync(join(root, 'logs/a.log'), join(root, 'named.log'));
  expect((await found('named.log')).files).toEqual(['logs/a.log']);
  expect(await found('logs/pipe.log')).toMatchObject({ files: [], special: 1 });
});

test('what is missing is named, what is named twice is found once', async () => {
  write('a.log');
  expect(await found('a.log', '.', 'nowhere')).toMatchObject({
    files: ['a.log'],
    missing: [join(root, 'nowhere')],
  });
});

test('what may not be read is counted', async () => {
  write('closed/a.log');
  chmodSync(root, 0o755);
  chmodSync(join(root, 'closed'), 0);
  expect(await asNobody(() => found('closed'))).toMatchObject({ files: [], unreadable: 1 });
  chmodSync(join(root, 'closed'), 0o700);
});
