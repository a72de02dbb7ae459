/** What `hone init` names: recognised in the repository, only looked for in the home folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SourceKind } from '../observe/index.ts';
import { nearbyTelemetry } from './nearby-telemetry.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hone-near-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const asked: string[] = [];
function kind(name: string, start: string): SourceKind {
  const unused = () => {
    throw new Error('only recognised');
  };
  return {
    kind: name,
    about: 'for tests',
    keys: {},
    place: unused,
    open: unused,
    recognise: ({ path, head }) => {
      asked.push(path);
      return head.startsWith(start) ? { certainty: 0.9, what: `a file of ${name}` } : undefined;
    },
  };
}
const KINDS = [kind('claude-code', 'claude'), kind('codex', 'codex'), kind('log', '2026-')];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

test('folders and files of the repository that are recognised; home folders that are there', async () => {
  const root = join(home, 'my app');
  write('my app/logs/deep/a.log', '2026-01-01 x\n');
  write('my app/reports/notes.txt', 'hello\n');
  write('my app/run.log', '2026-01-02 x\n');
  write('my app/src/main.log', '2026-01-02 x\n');
  const munged = root.replace(/[^A-Za-z0-9]/g, '-');
  write(`.claude/projects/${munged}/s.jsonl`, 'claude');
  write('.codex/sessions/2026/rollout-1.jsonl', 'codex');
  asked.length = 0;
  const found = await nearbyTelemetry({ root, environment: { HOME: home }, kinds: KINDS });
  expect(found.map(({ command }) => command)).toEqual([
    'hone sources add logs',
    'hone sources add run.log',
    `hone sources add ~/.claude/projects/${munged}`,
    'hone sources add ~/.codex/sessions',
  ]);
  expect(asked.filter((path) => /\.claude|\.codex/.test(path))).toEqual([]);
});

test('nothing is named that no kind reads, or that is not there', async () => {
  write('app/logs/a.log', 'hello\n');
  const environment = { HOME: home };
  expect(await nearbyTelemetry({ root: join(home, 'app'), environment, kinds: KINDS })).toEqual([]);
  write('.codex/sessions/x.jsonl', 'codex');
  const log = KINDS.slice(2);
  expect(await nearbyTelemetry({ root: join(home, 'app'), environment, kinds: log })).toEqual([]);
  expect(await nearbyTelemetry({ root: undefined, environment, kinds: KINDS })).toEqual([]);
});
