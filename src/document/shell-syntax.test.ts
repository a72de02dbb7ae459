import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isShell, shellProblem } from './shell-syntax.ts';

test.each([
  ['bin/run.sh', '', true],
  ['bin/RUN.BASH', '', true],
  ['bin/run', '#!/bin/sh\n', true],
  ['bin/run', '#! /usr/bin/env -S bash -e\n', true],
  ['bin/run', '#!/bin/zsh\n', false],
  ['bin/run', '#!/usr/bin/env node\n', false],
  ['bin/run', 'sh\n', false],
  ['bin/run.py', '#!/bin/sh\n', false],
])('%s with %j is a shell script: %s', (path, text, is) => {
  expect(isShell(path, text)).toBe(is);
});

test('says from which line on it cannot be read', async () => {
  expect(await shellProblem('echo 1\necho 2\n')).toBeUndefined();
  expect(await shellProblem('echo 1\n\necho "2\n')).toMatchObject({ line: 3 });
  expect(await shellProblem(`: ${'x'.repeat(300_000)}`)).toMatchObject({ line: 1 });
});

test('any text is read or refused', async () => {
  const parts = fc.array(
    fc.constantFrom('if', 'fi', '((', '))', '<<E', 'E', '"', '`', '$(', '\n', ' ', 'é'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        parts.map((all) => all.join('')),
        fc.string(),
      ),
      async (text) => {
        const problem = await shellProblem(text);
        expect(problem?.line ?? 1).toBeGreaterThan(0);
      },
    ),
  );
});
