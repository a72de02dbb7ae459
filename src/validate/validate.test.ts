import { describe, expect, test } from 'vitest';
import { GATE } from '../../test/proposals.ts';
import { ArtifactError } from '../artifact/index.ts';
import {
  digestOf,
  digestOfBytes,
  idMaker,
  ManualClock,
  nextTurn,
  seededRandom,
} from '../base/index.ts';
import { type ProposalStep, planStep } from '../proposal/index.ts';
import { begin, REQUIRED_MODES, type Replay, validate } from './index.ts';
import type { ModePending, ModeVerdict, ValidatePorts, ValidationMode } from './types.ts';
import {
  dossierOf,
  drawn,
  type Files,
  makeTarget,
  portsOf,
  reportsOf,
  SETTINGS,
  scriptedReplay,
  sessionNames,
  type Target,
} from './validate.test-support.ts';

const FILE = 'agents/search.yaml';
const OLD = 'tools:\n  search:\n    timeout_ms: 1000\n';
const NEW = OLD.replace('1000', '3000');
const tuned = () => makeTarget({ [FILE]: OLD }, { [FILE]: NEW });
const never = new AbortController().signal;

/** What fails on the base (every tenth session) works with the change. */
const helps = (target: Target) =>
  scriptedReplay((session, commit) => commit !== target.base || !session.endsWith('0'));

function unjudgedIn({ attestations = [] }: ProposalStep): string | undefined {
  const replayed = attestations.find((one) => one.kind === 'validation' && one.mode === 'replay');
  return replayed?.kind === 'validation' ? replayed.unjudged : undefined;
}

async function run(target: Target, more: Partial<ValidatePorts> = {}) {
  const step = await validate(dossierOf(target), portsOf(target, more), never);
  return { step, ...reportsOf(step) };
}

/** With a replay that shows an improvement, so that only the files decide. */
async function verdictOf(before: Files, after: Files) {
  const target = await makeTarget(before, after);
  const { json, step } = await run(target, { replay: helps(target) });
  const outcomes = json.parts.map(({ outcome }: { outcome: string }) => outcome).join(' ');
  return { outcomes, to: step.to, did: step.did };
}

describe('a change that helps', () => {
  test('is validated, with everything in the report and the short of it in a text', async () => {
    const target = await tuned();
    const replay = helps(target);
    const { step, json, text } = await run(target, { replay });
    expect(step.to).toBe('validated');
    const passed = { kind: 'validation', verdict: 'passed', improvesTarget: null };
    expect(step.attestations).toMatchObject([
      { ...passed, mode: 'diff', evidenceKinds: ['diff'] },
      { ...passed, mode: 'policy', evidenceKinds: ['files'] },
      { ...passed, mode: 'syntax', evidenceKinds: ['files'] },
      { ...passed, mode: 'replay', evidenceKinds: ['recorded_sessions'], improvesTarget: true },
    ]);
    const [base, candidate] = [target.base, replay.commits[2]!];
    expect(replay.commits).toEqual([base, base, candidate]);
    for (const report of json.reports)
      expect(report).toMatchObject({
        report: 'validation',
        contentDigest: digestOfBytes('content'),
        baseCommit: base,
        candidateCommit: candidate,
        verdict: 'passed',
      });
    expect(json.improvesTarget).toBe(true);
    expect(json.parts.map(({ part }: { part: string }) => part)).toEqual([
      'diff',
      'policy',
      'syntax',
      'replay',
    ]);
    expect(json.parts[3]).toMatchObject({
      sessions: digestOf(sessionNames(100).sort()),
      counts: { asked: 100, flaky: 0, usable: 100, worked: 90, better: 10, worse: 0 },
    });
    expect(text).toMatch(
      /^diff: passed\n {2}- The diff applies exactly to its base.\npolicy: passed\n/,
    );
  });

  test('has a candidate that is the base with the diff, and the same one every time', async () => {
    const target = await tuned();
    const { json } = await run(target);
    const candidate = await target.repository.readFile(json.candidate, FILE);
    expect(Buffer.from(candidate!).toString()).toBe(NEW);
    expect((await run(target, { nowMs: 99 })).json.candidate).toBe(json.candidate);
  });

  test('the kernel takes the steps', async () => {
    const target = await tuned();
    const context = {
      actor: { kind: 'system', id: 'hone', verified: 'local' } as const,
      gate: { ...GATE, requiredModes: REQUIRED_MODES },
      nowMs: 1,
      newId: idMaker(new ManualClock(), seededRandom(1)),
    };
    const dossier = dossierOf(target);
    for (const replay of [
      undefined,
      helps(target),
      scriptedReplay((_, commit) => commit === target.base),
    ])
      expect(planStep(dossier, (await run(target, { replay })).step, context)).toHaveProperty(
        'plan',
      );
    expect(begin(dossier)).toEqual({ did: 'Validation of p1 begins.', to: 'validating' });
  });
});

describe('the modes', () => {
  const answering = (name: string, runsChange: boolean, answer: ModeVerdict | ModePending) => {
    const asked: string[] = [];
    const mode: ValidationMode = {
      name,
      evidenceKinds: ['files'],
      assumes: [],
      runsChange,
      judge: async ({ candidate }) => {
        asked.push(candidate);
        return answer;
      },
    };
    return { mode, asked };
  };
  const says = (verdict: ModeVerdict['verdict'], improvesTarget: boolean | null = null) => ({
    verdict,
    reasons: [`It ${verdict}.`],
    improvesTarget,
    found: {},
  });
  const validated = async (...modes: readonly ValidationMode[]) =>
    (await run(await tuned(), { modes })).step;

  test('each says its own, and the worst of them is where it goes', async () => {
    const good = answering('good', false, says('passed')).mode;
    const unsure = answering('unsure', true, says('inconclusive')).mode;
    const bad = answering('bad', false, says('failed')).mode;
    expect((await validated(good)).to).toBe('validated');
    expect((await validated(good, unsure)).to).toBe('inconclusive');
    const step = await validated(bad, good);
    expect(step.to).toBe('failed');
    expect(step.attestations).toMatchObject([
      { mode: 'diff', verdict: 'passed' },
      { mode: 'bad', verdict: 'failed' },
      { mode: 'good', verdict: 'passed' },
    ]);
  });

  test('a change that failed one is run by none, but still read', async () => {
    const bad = answering('bad', false, says('failed'));
    const reads = answering('reads', false, says('passed'));
    const runs = answering('runs', true, says('passed', true));
    await validated(bad.mode, reads.mode, runs.mode);
    expect([reads.asked.length, runs.asked.length]).toEqual([1, 0]);
  });

  test('one that waits for the world holds nothing: it is asked again, and nothing is said yet', async () => {
    const pending = { pending: 'The trial runs.', dueAtMs: 9_000 };
    const good = answering('good', false, says('passed')).mode;
    const step = await validated(good, answering('trial', true, pending).mode);
    expect(step).toEqual({ did: 'Validation goes on: The trial runs.', dueAtMs: 9_000 });
  });
});

describe('the diff', () => {
  const failedDiff = async (target: Target, why: string, more: Partial<ValidatePorts> = {}) => {
    const { step, json } = await run(target, { replay: helps(target), ...more });
    expect([step.to, json.verdict, json.candidate]).toEqual(['failed', 'failed', null]);
    expect(json.parts[0].reasons.join()).toContain(why);
  };

  test('that does not apply, or whose base is unknown, fails', async () => {
    const target = await tuned();
    const moved = {
      ...target,
      diff: target.diff.replace('-    timeout_ms: 1000', '-    timeout_ms: 1500'),
    };
    await failedDiff(moved, 'does not apply to its base');
    await failedDiff({ ...target, base: 'a'.repeat(40) }, 'aaaaaa');
  });

  test('whose header names another file than its hunks fails', async () => {
    const target = await tuned();
    await failedDiff(
      { ...target, diff: target.diff.replace(`+++ b/${FILE}`, '+++ b/hone.yaml') },
      'line 4',
    );
  });

  test.each([
    './hone.yaml',
    'a/../.env',
    '.git/config',
    '.GIT/hooks/x',
    'a//b',
    '/etc/x',
    'a\\..\\.env',
  ])('to %s fails', async (path) => {
    const target = await tuned();
    const diff = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
    await failedDiff({ ...target, diff }, 'may not be written');
  });

  test.each([
    ['a link', 'new file mode 120000', 'the mode 120000'],
    ['a submodule', 'new file mode 160000', 'the mode 160000'],
    ['a rename', 'similarity index 90%', 'renames'],
  ])('with %s fails', async (_, header, why) => {
    const target = await tuned();
    const diff = `diff --git a/x b/x\n${header}\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n`;
    await failedDiff({ ...target, diff }, why);
  });

  test('with a binary, or too many bytes, fails', async () => {
    const target = await tuned();
    const binary = await makeTarget(
      { 'a.png': Buffer.from([0, 1]) },
      { 'a.png': Buffer.from([0, 2]) },
    );
    await failedDiff(binary, 'binary');
    await failedDiff({ ...target, diff: `${'x'.repeat(1024 * 1024)}\n` }, 'the limit is');
  });

  test('whose bytes are gone or are others fails; a store that cannot be read is a fault', async () => {
    const target = await tuned();
    const gone = async () => {
      throw new ArtifactError('missing', 'gone');
    };
    await failedDiff(target, 'not kept here', { diffText: gone });
    await failedDiff(target, 'do not match the digest in the proposal', {
      diffText: async () => 'x\n',
    });
    const down = async () => {
      throw new Error('connection lost');
    };
    await expect(run(target, { diffText: down })).rejects.toThrow('connection lost');
  });

  test('with a changed mode or a new executable fails', async () => {
    const target = await tuned();
    const mode = `diff --git a/${FILE} b/${FILE}\nold mode 100644\nnew mode 100755\n`;
    const made =
      'diff --git a/x.md b/x.md\nnew file mode 100755\n--- /dev/null\n+++ b/x.md\n@@ -0,0 +1 @@\n+x\n';
    for (const diff of [mode, made]) {
      const { json } = await run({ ...target, diff });
      expect(json.parts[1].reasons.join()).toMatch(/^plain_files: /);
    }
  });
});

describe('policy and syntax', () => {
  test('a broken policy fails it, and nothing is run', async () => {
    const target = await makeTarget({}, { 'hone.yaml': 'x: 1\n' });
    const replay = helps(target);
    const { step, json } = await run(target, { replay });
    expect(step.to).toBe('failed');
    expect(step.did).toBe(
      'Validation failed: policy: forbidden_paths: "hone.yaml" may not be touched: it is one of "hone.yaml".',
    );
    expect([json.parts[3].outcome, json.improvesTarget, replay.commits]).toEqual([
      'not_run',
      null,
      [],
    ]);
  });

  test.each([
    ['a.yaml', 'a: 1\n', 'passed', 'parses, and its keys are unique'],
    ['a.YML', 'a: 1\n', 'passed', 'parses, and its keys are unique'],
    ['a.yaml', 'a: 1\na: 2\n', 'failed', 'line 2: a key appears twice'],
    ['a.yaml', 'a: !custom 1\n', 'inconclusive', 'a tag whose meaning is not known'],
    ['a.json', '{"a": 1}\n', 'passed', 'parses'],
    ['a.json', '{"a": 1,}\n', 'failed', 'it is not JSON'],
    ['a.md', '# Title\n', 'passed', 'only that it is UTF-8 was checked'],
    ['a.md', '---\nname: a\n---\nText\n', 'passed', 'and that its front matter parses'],
    ['a.md', '---\nname: [\n---\nText\n', 'failed', 'line 2'],
    ['a.txt', 'text\n', 'passed', 'only that it is UTF-8 was checked'],
    ['a.py', 'x = 1\n', 'passed', 'parses'],
    ['a.py', 'x = [\n', 'failed', 'it is not valid Python'],
    ['a.ts', 'const x: number = 1;\n', 'passed', 'parses'],
    ['a.mjs', 'const x = ;\n', 'failed', 'it is not valid JavaScript or TypeScript'],
    ['a.lua', 'x = 1\n', 'inconclusive', 'there is no checker for .lua files here'],
    ['Makefile', 'all:\n', 'inconclusive', 'no checker for files without an extension'],
    ['a.jsonc', '// why\n{"a": 1,}\n', 'passed', 'parses, and its keys are unique'],
    ['a.toml', 'a = 1\n', 'passed', 'parses, and its keys are unique'],
    ['a.toml', 'a = 1\na = 2\n', 'failed', 'it is not valid TOML, or it says something twice'],
  ])('%s with %j: %s', async (path, text, outcome, why) => {
    const target = await makeTarget({}, { [path]: text });
    const { json } = await run(target, { replay: helps(target) });
    expect(json.parts[2]).toMatchObject({ part: 'syntax', outcome });
    expect(json.parts[2].reasons.join()).toContain(why);
    expect(json.verdict).toBe(outcome);
  });

  test('one file without a checker keeps all of it from passing; removing one does not', async () => {
    const both = await verdictOf({ [FILE]: OLD }, { [FILE]: NEW, 'a.lua': 'x = 1\n' });
    expect(both).toMatchObject({
      outcomes: 'passed passed inconclusive passed',
      to: 'inconclusive',
    });
    expect((await verdictOf({ 'a.lua': 'x = 1\n' }, { 'a.lua': null })).to).toBe('validated');
  });

  test('what could not be read before is not called broken by the change', async () => {
    const [before, after] = ['x = 1\ny = = 2\n', 'x = 2\ny = = 2\n'];
    const { outcomes } = await verdictOf({ 'a.py': before }, { 'a.py': after });
    // Which permissions it grants cannot be compared, so it does not pass either.
    expect(outcomes).toBe('passed failed inconclusive not_run');
  });

  test('a file that is no UTF-8 fails, wherever it is changed', async () => {
    const bytes = Buffer.from('a\nb\nc\nd\ne\n\xff\n', 'latin1');
    const target = await makeTarget({ 'x.md': bytes }, {});
    const diff =
      'diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -1,4 +1,4 @@\n-a\n+z\n b\n c\n d\n';
    const { json } = await run({ ...target, diff });
    expect(json.parts[2]).toMatchObject({
      outcome: 'failed',
      reasons: ['"x.md" is not UTF-8 text.'],
    });
  });
});

describe('the replay', () => {
  const inconclusive = async (more: Partial<ValidatePorts>, why: string) => {
    const target = await tuned();
    const { step, json } = await run(target, { replay: helps(target), ...more });
    expect([step.to, json.improvesTarget]).toEqual(['inconclusive', null]);
    expect(json.parts[3].reasons.join()).toContain(why);
  };

  test('that has too few sessions or throws is inconclusive', async () => {
    await inconclusive(
      { sessions: async () => drawn(sessionNames(19)) },
      'not enough sessions: 19 are usable',
    );
    await inconclusive(
      { sessions: async () => drawn(Array(50).fill('a')) },
      'not enough sessions: 1 are usable',
    );
    const broken: Replay = {
      commands: [],
      run: async () => {
        throw new Error('no such\u001b[2J command');
      },
    };
    await inconclusive(
      { replay: broken },
      'The replay of the base stopped: "no such\\u001b[2J command".',
    );
  });

  test('that answers for other sessions is inconclusive', async () => {
    const replay: Replay = {
      commands: [],
      run: async (_, sessions) =>
        sessions.slice(1).map((session) => ({ session, ok: true, error: null })),
    };
    await inconclusive({ replay }, 'cannot be used: it left out 1 of 100 sessions');
  });

  test('on a base that is too unsteady is inconclusive, and the candidate is not run', async () => {
    const replay = scriptedReplay((session, _, call) => call === 2 && /[0-2]$/.test(session));
    await inconclusive({ replay }, 'too unsteady: 30 of 100');
    expect(replay.commits).toHaveLength(2);
  });

  test('leaves the sessions out that flake', async () => {
    const target = await tuned();
    const replay = scriptedReplay((session, commit, call) =>
      session.endsWith('1') ? call === 1 : commit !== target.base || !session.endsWith('0'),
    );
    const { json } = await run(target, { replay });
    expect(json.verdict).toBe('passed');
    expect(json.parts[3].counts).toMatchObject({ flaky: 10, usable: 90, better: 10, worse: 0 });
  });

  test('that hangs is given up after its time', async () => {
    const target = await tuned();
    const clock = new ManualClock();
    const replay: Replay = { commands: [], run: () => new Promise(() => {}) };
    const waiting = run(target, { replay, clock });
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    clock.advance(SETTINGS.timeout);
    const { json } = await waiting;
    expect(json.verdict).toBe('inconclusive');
    expect(json.parts[3].reasons).toEqual(['The replay of the base was not done after 10m.']);
  });

  test('that the caller stops gives no verdict', async () => {
    const target = await tuned();
    const stop = new AbortController();
    const replay: Replay = {
      commands: [],
      run: () => {
        stop.abort(new Error('shutting down'));
        return new Promise(() => {});
      },
    };
    await expect(
      validate(dossierOf(target), portsOf(target, { replay }), stop.signal),
    ).rejects.toThrow('shutting down');
  });

  test('plays no more sessions than configured', async () => {
    const target = await tuned();
    const settings = { ...SETTINGS, sessions: 50 };
    const { json } = await run(target, { replay: helps(target), settings });
    expect(json.parts[3].counts.asked).toBe(50);
  });

  test('a change that breaks what worked fails, and one that changes nothing is inconclusive', async () => {
    const target = await tuned();
    const breaks = scriptedReplay(
      (session, commit) => commit === target.base || !session.endsWith('7'),
    );
    const { step, json } = await run(target, { replay: breaks });
    expect([step.to, json.improvesTarget]).toEqual(['failed', false]);
    expect(json.parts[3].counts.brokenSessions).toHaveLength(10);
    const same = await run(target, { replay: scriptedReplay((session) => !session.endsWith('0')) });
    expect([same.step.to, same.json.improvesTarget]).toEqual(['inconclusive', false]);
    expect(same.json.parts[3].reasons.join()).toContain('no difference is shown');
    expect(unjudgedIn(same.step)).toBeUndefined();
  });

  test('that does not fail what failed for real has not looked, and says so in a word', async () => {
    const target = await tuned();
    const { step, json } = await run(target, { replay: scriptedReplay(() => true) });
    expect([step.to, json.improvesTarget]).toEqual(['inconclusive', null]);
    expect(unjudgedIn(step)).toBe('not_reproduced');
    expect(json.parts[3].reproduced).toMatchObject({ failedLive: 10, failedAgain: 0 });
    expect(json.parts[3].reproduced.workedSessions).toHaveLength(10);
    expect(json.parts[3].reasons.join()).toMatch(
      /of 10 sessions that failed when they were recorded 10 work .*"?session-0"?, .* what sessions share/,
    );
  });

  test('VAL-6 proves nothing for a change to what judges it', async () => {
    for (const path of ['tests/search.yaml', 'evals/a.json', 'agents/a.test.yaml']) {
      const { outcomes, to, did } = await verdictOf({}, { [path]: '{"a": 1}\n' });
      expect([path, outcomes, to]).toEqual([
        path,
        'passed passed passed inconclusive',
        'inconclusive',
      ]);
      expect(did).toContain('a replay would prove nothing (rule 10)');
    }
  });
});
