import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { GATE } from '../../test/proposals.ts';
import { ArtifactError } from '../artifact/index.ts';
import { digestOfBytes, idMaker, ManualClock, seededRandom } from '../base/index.ts';
import { PROPOSAL_TYPES } from '../facts/index.ts';
import { CONSTITUTION } from '../policy/index.ts';
import { planStep } from '../proposal/index.ts';
import { RUBRIC, vet } from './index.ts';
import {
  AGENT,
  type Case,
  diffOf,
  makeCase,
  PERSON,
  reportOf,
  SEARCH,
  TUNED,
} from './vet.test-support.ts';

const run = async (one: Case) => {
  const { dossier, ports } = makeCase(one);
  return vet(dossier, ports);
};

async function verdicts(one: Case): Promise<{ verdict: string; against: string[]; all: string }> {
  const report = reportOf(await run(one));
  const against = report.checks.filter(({ outcome }) => outcome !== 'passed');
  return {
    verdict: report.verdict,
    against: against.map(({ name, outcome }) => `${name} ${outcome}`),
    all: report.checks.flatMap(({ reasons }) => reasons).join('\n'),
  };
}

const added = (path: string, lines: readonly string[]) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;

/** A small new file, by a person, so that only what is tested can be wrong. */
const note = (text: string, path = 'docs/note.md'): Case => ({
  diff: added(path, text.split('\n')),
  content: { files: [path], type: 'skill_improve', proposer: PERSON },
});

test('a complete, small, backed proposal is vetted, with a report that names everything checked', async () => {
  const step = await run({});
  expect(step.to).toBe('vetted');
  expect(step.did).toBe('Vetting passed: 10 checks of rubric 4.');
  expect(step.attestations).toMatchObject([{ kind: 'vetting', verdict: 'passed' }]);
  const report = reportOf(step);
  expect(report).toMatchObject({ rubric: 4, digest: digestOfBytes('content'), constitution: 1 });
  expect(report.checks.map(({ name }) => name)).toEqual(RUBRIC.checks.map(({ name }) => name));
  expect(report.checks.every(({ reasons }) => reasons.length > 0)).toBe(true);
});

test('the kernel takes the step of every verdict', async () => {
  const context = {
    actor: { kind: 'system', id: 'hone', verified: 'local' } as const,
    gate: GATE,
    nowMs: 1,
    newId: idMaker(new ManualClock(), seededRandom(1)),
  };
  for (const one of [{}, { content: { rollback: 'TBD' } }, note('see operator@corp.io')]) {
    const { dossier, ports } = makeCase(one);
    expect(planStep(dossier, await vet(dossier, ports), context)).toHaveProperty('plan');
  }
});

test('every rule that the rubric cites is in the constitution, which says that vetting enforces it', () => {
  for (const { rule } of RUBRIC.checks.filter((check) => check.rule !== null))
    expect(CONSTITUTION.rules.find(({ number }) => number === rule)?.enforcedBy).toContain('vet');
});

describe('PROP-2 complete', () => {
  test.each([
    'title',
    'change',
    'rationale',
    'rootCause',
    'riskAndMitigation',
    'rollback',
    'validationPlan',
  ])('fails when %s is blank, invisible or a placeholder', async (part) => {
    for (const text of [
      ' \n',
      '\u200b\u2060',
      'TBD',
      'n/a.',
      '<rationale>',
      '...',
      '{{ text }}',
      '🙂',
    ]) {
      const given = part === 'change' ? { kind: 'add_file', file: text } : text;
      const { verdict, against } = await verdicts({ content: { [part]: given } });
      expect([text, verdict, against[0]]).toEqual([text, 'failed', 'complete failed']);
    }
  });

  test('fails when the bytes of the diff are gone, are others, or are no patch', async () => {
    const gone = async () => {
      throw new ArtifactError('missing', 'There is no artifact.');
    };
    expect((await verdicts({ ports: { diffText: gone } })).against).toContain('declared failed');
    const other = await verdicts({ ports: { diffText: async () => `${TUNED}\n` } });
    expect(other.all).toContain('its bytes do not match the digest in the proposal');
    expect((await verdicts({ diff: 'change the timeout\n' })).verdict).toBe('failed');
  });

  test('does not blame the proposal for a store that cannot be read', async () => {
    const down = async () => {
      throw new Error('connection lost');
    };
    await expect(run({ ports: { diffText: down } })).rejects.toThrow('connection lost');
  });

  test('fails when the diff touches other files than declared', async () => {
    for (const files of [['agents/other.yaml'], [SEARCH, 'agents/b.yaml'], [SEARCH, SEARCH]])
      expect((await verdicts({ content: { files } })).against).toEqual(['declared failed']);
  });

  test('fails when the header names another file than the hunks', async () => {
    const diff = TUNED.replace(`+++ b/${SEARCH}`, '+++ b/hone.yaml');
    expect((await verdicts({ diff })).verdict).toBe('failed');
  });
});

describe('PROP-1 type and category', () => {
  test('every known type may pass, another may not', async () => {
    for (const type of PROPOSAL_TYPES)
      expect((await verdicts({ content: { type } })).against).not.toContain('type failed');
    const type = 'feature' as 'meta';
    expect((await verdicts({ content: { type } })).against).toEqual(['type failed']);
    const several = ['constant_tune', 'meta'] as unknown as 'meta';
    expect((await verdicts({ content: { type: several } })).against).toContain('type failed');
    for (const unknown of [{ category: 'feature' }, { severity: 'urgent' }] as const)
      expect((await verdicts({ content: unknown as never })).against).toContain('type failed');
  });

  test('a constant_tune that changes more than numbers is held', async () => {
    const pairs = [
      ['a: 1\n', 'a: 2\n', 'passed'],
      ['a: 30s # was 20s\n', 'a: 45s # was 30s\n', 'passed'],
      ['a: 0.5\nb: 1_000\n', 'a: 0.75\nb: 2_000\n', 'passed'],
      ['a: 1h30m\nb: "5s"\n', 'a: 1h45m\nb: "10s"\n', 'passed'],
      ['a: PT6S\nb: PT1H30M\n', 'a: PT12S\nb: PT2H15M\n', 'passed'],
      ['a: PT0.26S\n', 'a: PT1.0S\n', 'passed'],
      ['a: PT6S\n', 'a: PT6M\n', 'held'],
      ['id: PT6SX\n', 'id: PT7SX\n', 'held'],
      ['a: 1h30m\n', 'a: 1d30m\n', 'held'],
      ['id: 3d2f1a\n', 'id: 7d9f1a\n', 'held'],
      ['id: 1h2s3x\n', 'id: 4h5s6x\n', 'held'],
      ['a: 1\n', 'a: 1\nb: 2\n', 'held'],
      ['model: gpt-4\n', 'model: gpt-3\n', 'held'],
      ['host: 10.0.0.1\n', 'host: 10.0.0.2\n', 'held'],
      ['a: 1\n', 'b: 1\n', 'held'],
      ['a: false\n', 'a: true\n', 'held'],
    ] as const;
    for (const [before, after, verdict] of pairs) {
      const diff = await diffOf({ [SEARCH]: before }, { [SEARCH]: after });
      expect([after, (await verdicts({ diff })).verdict]).toEqual([after, verdict]);
    }
  });

  test('PROP-4 only a person proposes an enhancement', async () => {
    const category = 'enhancement';
    expect((await run({ content: { category, proposer: PERSON } })).to).toBe('vetted');
    for (const proposer of [AGENT, { kind: 'system', id: 'hone', verified: 'local' } as const])
      expect((await verdicts({ content: { category, proposer } })).against).toEqual([
        'category failed',
      ]);
  });
});

describe('scope', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `${i}`).join('\n');

  test('60 changed lines and 5 files pass, one more does not', async () => {
    expect((await verdicts(note(lines(60)))).verdict).toBe('passed');
    expect((await verdicts(note(lines(61)))).against).toEqual(['scope failed']);
    for (const [count, verdict] of [
      [5, 'passed'],
      [6, 'failed'],
    ] as const) {
      const files = Array.from({ length: count }, (_, i) => `docs/${i}.md`);
      const diff = files.map((path) => added(path, ['text'])).join('');
      const { content } = note('');
      expect((await verdicts({ diff, content: { ...content, files } })).verdict).toBe(verdict);
    }
  });

  test('a constant_tune has one file and six changed lines', async () => {
    const text = (by: number, count: number) =>
      Array.from({ length: 4 }, (_, i) => `k${i}: ${i < count ? by : 1}\n`).join('');
    for (const [count, verdict] of [
      [3, 'passed'],
      [4, 'failed'],
    ] as const) {
      const diff = await diffOf({ [SEARCH]: text(1, 4) }, { [SEARCH]: text(2, count) });
      expect((await verdicts({ diff })).verdict).toBe(verdict);
    }
    const before = { 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 1\n' };
    const diff = await diffOf(before, { 'a.yaml': 'a: 2\n', 'b.yaml': 'b: 2\n' });
    const { against } = await verdicts({ diff, content: { files: ['a.yaml', 'b.yaml'] } });
    expect(against).toEqual(['scope failed']);
  });

  test('100 000 lines are counted, a larger diff is not read, both in time', async () => {
    const { verdict, all } = await verdicts(note(lines(100_000)));
    expect(verdict).toBe('failed');
    expect(all).toContain('It changes 100000 lines; at most 60 are allowed.');
    expect((await verdicts(note(lines(300_000)))).all).toContain('bytes; the limit is 1048576');
  });
});

describe('evidence', () => {
  test.each([
    ['two events', { evidence: ['event:1', 'event:3'] }],
    ['one event three times', { evidence: ['event:3', 'event:3', 'event:3'] }],
    ['events that do not exist', { evidence: ['event:3', 'event:8', 'event:9'] }],
    ['other references', { evidence: ['event:3', 'artifact:1', 'x', 'event:'] }],
    ['no pattern, by an agent', { patternId: null, proposer: AGENT }],
    ['an unknown pattern', { patternId: 'pattern-2' }],
    ['a pattern that has none of its events', { evidence: ['event:1', 'event:2', 'event:4'] }],
  ])('fails with %s', async (_, content) => {
    expect((await verdicts({ content })).against).toEqual(['evidence failed']);
  });

  test('fails with a pattern that occurred twice', async () => {
    const patternOf = async () => ({
      occurrences: 2,
      layer: 'tool' as const,
      evidence: ['event:1'],
    });
    expect((await verdicts({ ports: { patternOf } })).against).toEqual(['evidence failed']);
  });

  test('a person needs no pattern, but events', async () => {
    const human = { pattern: null, proposer: PERSON };
    expect((await run({ content: human })).to).toBe('vetted');
    expect((await run({ content: { ...human, evidence: ['event:1'] } })).to).toBe('rejected');
  });
});

describe('reversible', () => {
  test.each([
    ['a link', added('docs/note.md', ['x']).replace('100644', '120000')],
    ['a submodule', added('docs/note.md', ['x']).replace('100644', '160000')],
    [
      'a binary',
      'diff --git a/docs/note.md b/docs/note.md\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 1\n',
    ],
    ['control characters', added('docs/note.md', ['x\u0001'])],
  ])('fails with %s', async (_, diff) => {
    expect((await verdicts({ ...note('x'), diff })).against).toContain('reversible failed');
  });

  test('fails without a way back', async () => {
    expect((await verdicts({ content: { rollback: 'todo' } })).against).toContain(
      'reversible failed',
    );
  });
});

describe('PROP-4 the files that judge', () => {
  const touching = (path: string, more: Case['content']): Case => {
    const { diff, content } = note('x: 1', path);
    return { diff: diff!, content: { ...content, patternId: 'pattern-1', ...more } };
  };

  test.each([
    'hone.yaml',
    'sub/hone.yaml',
    'HONE.YAML',
    'hone.yaml.',
    '.hone/keys',
    'policies/a.cedar',
    'tests/a.py',
    'src/a.test.ts',
    'pkg/test_a.py',
    '.github/workflows/ci.yml',
    '.gitattributes',
    '.husky/pre-commit',
    'evals/set.json',
    '\u04bbone.yaml',
  ])('%s: held for a person, failed for an agent', async (path) => {
    expect((await verdicts(touching(path, { proposer: PERSON }))).against).toContain(
      'own_gate held',
    );
    expect((await verdicts(touching(path, { proposer: AGENT }))).against).toContain(
      'own_gate failed',
    );
  });

  test('VAL-6 an agent’s file is not refused for its name; a real gate below the same glob is', async () => {
    const declared = (path: string, ...agentFiles: string[]) =>
      verdicts({ ...touching(path, { proposer: AGENT }), ports: { agentFiles } });
    for (const glob of ['fleet/*.yaml', '**'])
      expect((await declared('fleet/toll-gate.yaml', glob)).against).toEqual([]);
    expect((await declared('fleet/toll-gate.yaml', 'agents/**')).against).toContain(
      'own_gate failed',
    );
    for (const path of ['hone.yaml', '.github/workflows/ci.yml', 'fleet/tests/a.py', 'a.test.ts'])
      expect((await declared(path, '**', '.github/**')).against).toContain('own_gate failed');
  });

  test('meta, alone: a person passes, an agent is held', async () => {
    expect((await run(touching('hone.yaml', { type: 'meta', proposer: PERSON }))).to).toBe(
      'vetted',
    );
    expect((await run(touching('hone.yaml', { type: 'meta', proposer: AGENT }))).to).toBe(
      'quarantined',
    );
  });

  test('meta with other files: never passed', async () => {
    const diff = added('hone.yaml', ['x']) + added('docs/a.md', ['x']);
    const files = ['hone.yaml', 'docs/a.md'];
    for (const [proposer, to] of [
      [PERSON, 'quarantined'],
      [AGENT, 'rejected'],
    ] as const)
      expect((await run({ diff, content: { files, type: 'meta', proposer } })).to).toBe(to);
  });

  test('ordinary agent files are none', async () => {
    for (const path of [
      'agents/tester.yaml',
      'skills/contest.md',
      '.claude/agents/a.md',
      'honest.yaml',
    ])
      expect((await verdicts(touching(path, { proposer: PERSON }))).verdict).toBe('passed');
  });
});

describe('secrets', () => {
  const random = 'tKw4RbD7hQ0xNm2vU9sCz5LpEy8GjF1aTi6o';
  const secrets = [
    `ghp_${random}`,
    `sk-${random}`,
    `npm_${random}`,
    'AKIAABCDEFGHIJKLMNOP',
    `AIza${random}`,
    `Bearer ${random}`,
    `eyJhbGciOiJIUzI1NiJ9.${random}`,
    '-----BEGIN RSA PRIVATE KEY-----',
    'postgres://app:hunter22@db/app',
    'DB_PASSWORD=correct-horse',
    '"api_key": "abcd-efgh-1jk1"',
    'clientSecret: abcd.efgh.1jk1',
    'ask someone@corp.io',
  ];

  test.each(secrets)('%s is held, and not repeated', async (secret) => {
    const step = await run(note(`use ${secret} here`));
    expect(step.to).toBe('quarantined');
    const { all, against } = await verdicts(note(`use ${secret} here`));
    expect(against).toEqual(['secrets held']);
    const value = secret.match(/[A-Za-z0-9.@-]+\W*$/)![0];
    expect(`${step.did}${all}`).not.toContain(value);
    const told = await verdicts({ content: { rationale: `It fails with ${secret}` } });
    expect(told.against).toEqual(['secrets held']);
  });

  test.each([
    'max_tokens: 40960000',
    'token: $SEARCH_TOKEN',
    'api_key: env:SEARCH_KEY',
    'ask operator@example.org',
    'git@github.com:a/b.git',
    'password: <your password>',
    'risk-assessment-for-everybody',
    'postgres://app:$PW@db/app',
  ])('%s is none', async (text) => {
    expect((await verdicts(note(text))).verdict).toBe('passed');
  });

  test('taking a secret out is no offence', async () => {
    const path = 'docs/a.md';
    const diff = await diffOf({ [path]: `key ghp_${random}\nb\n` }, { [path]: 'b\n' });
    const { content } = note('', path);
    expect((await verdicts({ diff, content: content! })).verdict).toBe('passed');
  });
});

describe('hidden characters', () => {
  const hidden = ['pay\u200bload', 'if (\u202eevil\u2066) {', 'pa\u0443pal', '\u{e0069}\u{e0067}x'];
  test.each(hidden)('%j in the diff or in a text is held', async (text) => {
    expect((await verdicts(note(`one\n${text}`))).against).toEqual(['hidden held']);
    expect((await verdicts(note(`one\n${text}`))).all).toContain('Line 7 of the diff: ');
    const told = await verdicts({ content: { rationale: `It is ${text} that fails.` } });
    expect(told.against).toEqual(['hidden held']);
    expect(told.all).not.toContain(text);
  });

  test('behind a hunk’s header and in a path too', async () => {
    const diff = TUNED.replace(/^(@@ .* @@).*$/m, '$1 \u202eabc');
    expect((await verdicts({ diff })).against).toContain('hidden held');
    expect((await verdicts(note('x', 'docs/no\u200bte.md'))).against).toContain('hidden held');
  });

  test('honest words of other languages are not', async () => {
    const text = 'Грёзы о погоде\nمرحبا بالعالم\nZażółć gęślą jaźń 👩‍💻';
    expect((await verdicts(note(text))).verdict).toBe('passed');
  });
});

describe('verdict', () => {
  test('every check runs and every reason is told', async () => {
    const { against } = await verdicts({
      content: { rollback: 'tbd', evidence: ['event:1'], rationale: 'ask a@corp.io' },
    });
    expect(against).toEqual([
      'complete failed',
      'evidence failed',
      'reversible failed',
      'secrets held',
    ]);
  });

  test('at the limit of open proposals it waits without a verdict, unless it fails anyway', async () => {
    const ports = { openProposals: 20, openProposalsMax: 20 };
    const step = await run({ ports });
    expect(step).toEqual({
      did: 'It waits: 20 proposals are open; the limit is 20 (rule 7).',
      dueAtMs: 1_000_000 + 3_600_000,
    });
    expect((await run({ ports, content: { rollback: 'tbd' } })).to).toBe('rejected');
    expect((await run({ ports: { ...ports, openProposals: 19 } })).to).toBe('vetted');
  });

  test('what a person released is not held again, but what fails still fails', async () => {
    const ports = { releasedByPerson: async () => true };
    const held = note('a\u202eb');
    expect((await run(held)).to).toBe('quarantined');
    expect((await run({ ...held, ports })).to).toBe('vetted');
    expect((await run({ ...held, ports, content: { ...held.content, rollback: '-' } })).to).toBe(
      'rejected',
    );
  });

  test('what the constitution holds stays held, whoever releases it', async () => {
    const ports = { releasedByPerson: async () => true };
    for (const text of ['ask someone@corp.io', 'a\u202eb someone@corp.io'])
      expect((await run({ ...note(text), ports })).to).toBe('quarantined');
  });

  test('it never gets better by more that is wrong', async () => {
    const rank = { passed: 0, held: 1, failed: 2 } as Record<string, number>;
    const worse = fc.constantFrom<Partial<Case['content']>>(
      { rollback: 'tbd' },
      { evidence: [] },
      { rationale: 'x@corp.io' },
      { rationale: 'a\u202eb' },
      { patternId: null },
      { category: 'enhancement' },
      { files: ['hone.yaml'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(worse, { maxLength: 3 }), worse, async (list, one) => {
        const before = Object.assign({}, ...list);
        // What the added part overwrites would be taken away: compared where it only adds.
        fc.pre(Object.keys(one!).every((key) => !(key in before)));
        const less = await verdicts({ content: before });
        const more = await verdicts({ content: { ...before, ...one } });
        expect(rank[more.verdict]).toBeGreaterThanOrEqual(rank[less.verdict]!);
        expect(more.verdict).not.toBe('passed');
      }),
      { numRuns: 60 },
    );
  });

  test('any words and any bytes get a verdict', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.string(), async (text, diff) => {
        const content = {
          title: text,
          rationale: text,
          files: [text],
          evidence: [text],
          pattern: text,
        };
        const step = await run({ diff: diff.toWellFormed(), content });
        expect(step.to).toBe('rejected');
        expect(step.did).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 100 },
    );
  });
});
