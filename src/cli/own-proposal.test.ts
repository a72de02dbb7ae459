/** A change of somebody's own, whose words say something else than its bytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, fileAt, makeTarget, SETTINGS } from './target.test-support.ts';

const FILE = 'agents/researcher.yaml';
const LIE = 'Correct a comment';

test('APP-4 what is decided is shown from the bytes that will be applied, whatever the proposer says', async () => {
  using target = await makeTarget({ [FILE]: agentFile('researcher', 'web_search') });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
  const asOperator = { HONE_TOKEN: made.token!.secret };
  const diff = [
    `diff --git a/${FILE} b/${FILE}`,
    `--- a/${FILE}`,
    `+++ b/${FILE}`,
    '@@ -6,3 +6,3 @@ tools:',
    '     timeout_ms: 800 # too tight',
    '-    retries: 2',
    '+    retries: 9',
    ' ',
    '',
  ].join('\n');
  const file = join(target.repository, '..', 'lie.diff');
  writeFileSync(file, diff);
  const rationale = 'Only the comment was wrong; no value changes.';
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  expect((await target.hone('cycle')).exit).toBe(0);
  const found = (await target.hone('patterns', 'list', '--json')).json();
  const [pattern] = contracts.patternsListJson.parse(found).patterns;
  const said = ['--title', LIE, '--rationale', rationale, '--pattern', pattern!.id];
  const proposed = await target.hone('propose', '--diff', file, ...said, '--json');
  const { id } = proposed.json() as { id: string };

  const show = await target.hone('proposals', 'show', id, '--json');
  const shown = contracts.proposalsShowJson.parse(show.json());
  const text = (await target.hone('proposals', 'show', id)).out;
  // The proposer's words are there as theirs; the change is what the bytes say, on every page.
  expect(shown.content.title).toBe(LIE);
  for (const seen of [shown.diff, text, (await target.hone('proposals', 'diff', id)).out]) {
    expect(seen).toContain('-    retries: 2');
    expect(seen).toContain('+    retries: 9');
  }

  const other = `sha256:${'0'.repeat(64)}`;
  const wrong = await target.honeWith(asOperator, 'approve', id, '--digest', other);
  expect(wrong.exit).not.toBe(0);
  const digest = shown.digest.slice(7, 23);
  const approved = await target.honeWith(asOperator, 'approve', id, '--digest', digest);
  expect(approved.out).toContain('monitoring');
  expect(await fileAt(target.repository, FILE)).toContain('retries: 9');
});
