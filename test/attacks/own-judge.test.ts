/** A change brings its own judge along: what it edits would say that it helps (VAL-6, rule 10). */
import { expect, test } from 'vitest';
import { validate } from '../../src/validate/index.ts';
import {
  dossierOf,
  type Files,
  makeTarget,
  portsOf,
  reportsOf,
  scriptedReplay,
} from '../../src/validate/validate.test-support.ts';

const AGENT = 'agents/search.yaml';
const COMMAND = ['npm', 'run', 'replay'];
const manifest = (fields: object) => `${JSON.stringify(fields)}\n`;
const SCRIPTS = { replay: 'node ops/play.mjs --sessions ops/recorded.jsonl' };
const BASE: Files = {
  [AGENT]: 'timeout_ms: 1000\n',
  'package.json': manifest({ description: 'a', scripts: SCRIPTS }),
  'ops/play.mjs': 'play();\n',
  'ops/recorded.jsonl': '{}\n',
  Makefile: 'check:\n',
  'quality/rubric.yaml': 'pass: 5\n',
};

/** A replay that finds every candidate better, and its verdict on the change. */
async function judged(after: Files) {
  const target = await makeTarget(BASE, { [AGENT]: 'timeout_ms: 2000\n', ...after });
  const replay = { ...scriptedReplay((_, commit) => commit !== target.base), commands: [COMMAND] };
  const step = await validate(
    dossierOf(target),
    portsOf(target, { replay }),
    new AbortController().signal,
  );
  return { replayed: replay.commits.length, replay: reportsOf(step).json.parts[3] };
}

test.each<[string, Files]>([
  ['the script that the replay is called by', { 'package.json': manifest({ scripts: {} }) }],
  ['the program behind that script', { 'ops/play.mjs': 'good();\n' }],
  ['the sessions that it is given', { 'ops/recorded.jsonl': '{"ok":true}\n' }],
  ['the Makefile', { Makefile: 'check:\n\ttrue\n' }],
  ['a rubric', { 'quality/rubric.yaml': 'pass: 0\n' }],
  ['settings of a runner that were not there', { 'pyproject.toml': '[tool.pytest]\n' }],
  ['a module that every Python loads first', { 'lib/sitecustomize.py': 'x = 1\n' }],
  [
    'settings of a runner under its newest name',
    { 'pytest.toml': '[pytest]\naddopts = "-k none"\n' },
  ],
  ['what the package manager runs as itself', { '.yarn/releases/yarn-4.cjs': 'exit()\n' }],
  ['the wrapper that fetches the build tool', { gradlew: 'exit 0\n' }],
  ['the jobs of another forge', { '.gitea/workflows/ci.yml': 'on: push\n' }],
  ['what merges by itself', { '.mergify.yml': 'pull_request_rules: []\n' }],
  ['golden files', { 'data/golden-files/a.json': '{}\n' }],
])('%s: nothing is replayed', async (_, after) => {
  const { replayed, replay } = await judged(after);
  expect([replayed, replay.outcome]).toEqual([0, expect.not.stringMatching('passed')]);
});

test('the same change alone, with a new description or beside an agent called build, is replayed', async () => {
  const described = { 'package.json': manifest({ scripts: SCRIPTS, description: 'b' }) };
  const beside = { 'agents/build.yaml': 'n: 1\n' };
  for (const after of [{}, described, beside]) {
    const { replayed, replay } = await judged(after);
    expect([replayed, replay.outcome]).toEqual([3, 'passed']);
  }
});
