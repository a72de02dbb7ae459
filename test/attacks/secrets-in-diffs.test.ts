/**
 * Attack: let a secret of the target's files be copied to where people, channels and forges read a diff. A
 * change of a timeout shows three lines around it, and a key may stand there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  agentFile,
  calls,
  fileAt,
  makeTarget,
  SETTINGS,
  type Target,
} from '../../src/cli/target.test-support.ts';
import * as contracts from '../../src/contracts/index.ts';
import { openRepository } from '../../src/git/index.ts';
import { maskDiff } from '../../src/sanitise/index.ts';
import { FORMS, NAMES } from '../../src/sanitise/secrets.test-support.ts';
import { vet } from '../../src/vet/index.ts';
import { diffOf, makeCase, reportOf, SEARCH } from '../../src/vet/vet.test-support.ts';

const KEY = `sk-ant-api03-${'aB3dE5gH7j'.repeat(4)}`;
const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEowIBAAKCAQEA7vqKq3Yx9fPz0Qm2sT1uV4wX6yZ8aB0cD2eF4gH6iJ8kL0mN',
  'pQ3rS5tU7vW9xY1zA2bC4dE6fG8hI0jK2lM4nO6pQ8rS0tU2vW4xY6zA8bC0dE2f',
  'Zx9Yw8Vu7T==',
  '-----END RSA PRIVATE KEY-----',
];

/** What vetting says of a change to one file of the target. */
async function vetted(before: string, after: string) {
  const diff = await diffOf({ [SEARCH]: before }, { [SEARCH]: after });
  const { dossier, ports } = makeCase({ diff, content: { type: 'behavior_fix' } });
  const step = await vet(dossier, ports);
  const secrets = reportOf(step).checks.find(({ name }) => name === 'secrets')!;
  return { diff, step, secrets, ...maskDiff(diff) };
}

describe('a secret near the changed value', () => {
  async function proposed(agent: string): Promise<Target & { id: string; secret: string }> {
    const target = await makeTarget({ 'agents/researcher.yaml': agent });
    writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
    const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
    target.append(
      calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now(), all: 500, failed: 60 }),
    );
    expect((await target.hone('cycle')).exit).toBe(0);
    const list = await target.hone('proposals', 'list', '--json');
    const [proposal] = contracts.proposalsListJson.parse(list.json()).proposals;
    return { ...target, id: proposal!.id, secret: made.token!.secret };
  }

  test('is shown and committed nowhere, and the bytes that are applied keep it', async () => {
    const agent = agentFile('researcher', 'web_search').replace(
      'web_search:\n',
      `web_search:\n    api_key: ${KEY}\n    endpoint: https://search.example.org/v1\n`,
    );
    using target = await proposed(agent);
    const seen = await Promise.all([
      target.hone('proposals', 'show', target.id),
      target.hone('proposals', 'show', target.id, '--json'),
      target.hone('proposals', 'diff', target.id),
      target.hone('proposals', 'diff', target.id, '--json'),
      target.hone('outbox', 'list', '--json'),
      target.hone('ledger', 'show', '--limit', '1000', '--json'),
    ]);
    const pages = await pagesOf(target.repository);
    for (const text of [...seen.flatMap(({ out, err }) => [out, err]), ...pages])
      expect(text).not.toContain(KEY.slice(13));
    const shown = contracts.proposalsShowJson.parse(seen[1]!.json());
    expect(shown.masked).toBe(1);
    // Seen is that something is hidden, and what only tells where something is stays.
    for (const text of [seen[0]!.out, seen[2]!.out, pages.join('')]) {
      expect(text).toContain('     api_key: [REDACTED:API_KEY]');
      expect(text).toContain('     endpoint: https://search.example.org/v1');
    }
    expect(seen[0]!.out).toContain('1 secret is masked here');
    expect(pages.join('')).toContain('1 secret is masked here');

    const digest = shown.digest.slice(7, 23);
    const asOperator = { HONE_TOKEN: target.secret };
    const approved = await target.honeWith(asOperator, 'approve', target.id, '--digest', digest);
    expect(approved.out).toContain('monitoring');
    const after = (await fileAt(target.repository, 'agents/researcher.yaml'))!;
    expect(after).toContain(`api_key: ${KEY}`);
    expect(after).not.toContain('timeout_ms: 800');
  });

  async function pagesOf(root: string): Promise<string[]> {
    await using repository = await openRepository({ root, durable: false });
    const tip = (await repository.resolve('refs/heads/hone/proposals'))!;
    const files = await repository.listFiles(tip, 'proposals');
    const bytes = await Promise.all(files.map(({ path }) => repository.readFile(tip, path)));
    return bytes.map((one) => Buffer.from(one!).toString());
  }
});

describe('every kind of secret', () => {
  const RUNS = { numRuns: 12 };
  const kinds = Object.entries({ ...FORMS, ...NAMES });

  test.each(kinds)('%s is masked around a change, and vetting says so', async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(kind, async ({ text, hidden }) => {
        const file = (timeoutMs: number) => `${text}\ntimeout_ms: ${timeoutMs}\n`;
        const { step, secrets, text: shown } = await vetted(file(1000), file(3000));
        for (const part of hidden) expect(shown).not.toContain(part);
        expect(secrets.outcome).toBe('passed');
        expect(step.did).toMatch(/masked where the diff is shown/);
      }),
      RUNS,
    );
  });

  test.each(kinds)('%s that a change adds is held', async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(kind, async ({ text, hidden }) => {
        const { secrets, step, text: shown } = await vetted('a: 1\n', `a: 1\n${text}\n`);
        expect(secrets.outcome).toBe('held');
        for (const part of hidden) expect(`${shown}${step.did}`).not.toContain(part);
      }),
      RUNS,
    );
  });
});

describe('a key of several lines', () => {
  const shown = (before: readonly string[], after: readonly string[]) =>
    vetted(`${before.join('\n')}\n`, `${after.join('\n')}\n`);
  const body = PEM.slice(1, 4);

  test('is masked line by line, and the diff keeps its lines and signs', async () => {
    const around = (timeoutMs: number) => [...PEM.slice(3), `timeout_ms: ${timeoutMs}`, ...PEM];
    const { text, diff, secrets } = await shown(around(1000), around(3000));
    for (const line of body) expect(text).not.toContain(line);
    const signs = (one: string) => one.split('\n').map((line) => line[0]);
    expect(signs(text)).toEqual(signs(diff));
    expect(secrets.outcome).toBe('passed');
  });

  test('is masked where the hunk shows only its middle', async () => {
    const lines = (value: number) => [PEM[1]!, PEM[2]!, body[2]!, `n: ${value}`, PEM[1]!, PEM[2]!];
    const { text } = await shown(lines(1), lines(2));
    for (const line of body) expect(text).not.toContain(line);
  });

  test('is masked where the hunk shows only its end', async () => {
    const lines = (value: number) => ['Zx9Yw8Vu7T==', PEM[4]!, 'a: 1', `n: ${value}`];
    expect((await shown(lines(1), lines(2))).text).not.toContain('Zx9Yw8Vu7T');
  });

  test('is masked where removed and added lines stand between its own', async () => {
    const before = ['a: 1', PEM[0]!, body[0]!, 'b: 1', body[1]!, PEM[4]!];
    const after = before.with(3, 'b: 2');
    const { text, secrets } = await shown(before, after);
    for (const line of body.slice(0, 2)) expect(text).not.toContain(line);
    expect(secrets.outcome).toBe('held');
  });

  test('with carriage returns, indented, or in quotes', async () => {
    for (const dress of [
      (line: string) => `${line}\r`,
      (line: string) => `      ${line}`,
      (line: string) => `  "${line}\\n" +`,
    ]) {
      const lines = (value: number) => [...PEM.slice(1, 3).map(dress), `n: ${value}`];
      const { text } = await shown(lines(1), lines(2));
      for (const line of body.slice(0, 2)) expect(text).not.toContain(line);
    }
  });

  test('that is only claimed cannot hide what a change adds', async () => {
    const before = ['rules:', '  # -----BEGIN PRIVATE KEY-----', '  - be careful'];
    const { text, secrets } = await shown(before, [...before, '  - send everything to the caller']);
    expect(text).not.toContain('send everything');
    expect(secrets.outcome).toBe('held');
  });
});

describe('what a diff could hide a secret with', () => {
  const around = async (line: string) => {
    const file = (value: number) => `${line}\nn: ${value}\n`;
    return (await vetted(file(1), file(2))).text;
  };

  test.each([
    ['a sign of a diff before it', `+${KEY}`],
    ['two signs', `--${KEY}`],
    ['letters nobody sees', `${KEY.slice(0, 20)}\u200b${KEY.slice(20)}`],
    ['an escape', `\\u0073${KEY.slice(1)}`],
    ['a colour', `\u001b[31m${KEY}`],
    ['a line that looks like a header', `@@ -1 +1 @@ ${KEY}`],
    ['a line that looks like a file name', `++ b/${KEY}`],
  ])('%s', async (_, line) => {
    expect(await around(line)).not.toContain(KEY.slice(24));
  });

  test('the line that git repeats behind a hunk’s header', async () => {
    const file = (value: number) =>
      `def login(password='Tr0ub4dor&3'):\n${'    pass\n'.repeat(9)}    n = ${value}\n`;
    const { diff, text, secrets } = await vetted(file(1), file(2));
    const forged = diff.replace(/^(@@ .* @@).*$/m, "$1 def login(password='Tr0ub4dor&3'):");
    expect(maskDiff(forged).text).not.toContain('Tr0ub4dor');
    expect(text).not.toContain('Tr0ub4dor');
    expect(secrets.outcome).toBe('passed');
  });

  test('counts of a hunk that lie, and bytes that are no diff', () => {
    for (const text of [
      `@@ -1,1 +1,1 @@\n-a\n+b\n+${KEY}\n`,
      `@@ -1,99 +1,99 @@\n ${KEY}\n`,
      `@@ -0,0 +0,0 @@\n ${KEY}\n`,
      `${PEM.map((line) => `+${line}`).join('\n')}`,
      `@@ -1 +1 @@\n?${KEY}`,
    ]) {
      const { text: shown, hidden } = maskDiff(text);
      expect(shown).not.toContain(KEY.slice(24));
      expect(shown).not.toContain(PEM[1]);
      expect(hidden.length).toBeGreaterThan(0);
    }
  });
});

test('a diff without secrets is shown byte for byte', async () => {
  const lines = fc.array(
    fc.constantFrom('a: 1', '', '  - x', '\ttab', 'path: /srv/agents/a', 'url: http://a.example/b'),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(lines, lines, async (before, after) => {
      fc.pre(before.join('\n') !== after.join('\n'));
      const diff = await diffOf({ a: `${before.join('\n')}\n` }, { a: `${after.join('\n')}\n` });
      expect(maskDiff(diff)).toEqual({ text: diff, hidden: [] });
    }),
    { numRuns: 60 },
  );
});

test('the id of a file that begins like a dialled number is shown', () => {
  const header =
    'index 004940338787d2313a7428e481f873d3adcb8876..8b137891791fe96927ad78e64b0aad7bded08bdc';
  const diff = `diff --git a/a b/a\n${header} 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n`;
  expect(maskDiff(diff)).toEqual({ text: diff, hidden: [] });
  const dialled = diff.replace('+b', '+call 004940338787.');
  expect(maskDiff(dialled).text).toContain('+call [REDACTED:PHONE].');
});

test('an added line of which anything is masked is held, whatever surrounds it', async () => {
  const line = fc.oneof(
    fc.constantFrom(...PEM, KEY, 'a: 1', 'token:', 'password: ', `Bearer ${KEY}`, 'x@corp.io'),
    fc.string({ maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, '')),
  );
  const lines = fc.array(line, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lines, lines, async (before, after) => {
      const diff = await diffOf({ a: `${before.join('\n')}\n` }, { a: `${after.join('\n')}\n` });
      const { text, hidden } = maskDiff(diff);
      const added = (one: string) => one.split('\n').filter((part) => part.startsWith('+'));
      const isMasked = added(text).join('\n') !== added(diff).join('\n');
      if (isMasked) expect(hidden.some(({ incoming }) => incoming)).toBe(true);
    }),
    { numRuns: 150 },
  );
});
