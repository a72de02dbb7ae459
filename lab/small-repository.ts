/** The small repository of the third act, and what its agent writes into it, at first with a fault. */

const retry = (
  waits: string,
  random: string,
) => `/** Calls again what failed; each time it waits longer. */
export async function retry(call, times, wait${random}) {
  for (let at = 1; ; at++) {
    try {
      return await call();
    } catch (error) {
      if (at >= times) throw error;
      await wait(${waits});
    }
  }
}
`;

const TESTS = `import assert from 'node:assert';
import { test } from 'node:test';
import { retry } from '../src/retry.js';

const failing = () => Promise.reject(new Error('down'));

test('gives up after the last try', () => assert.rejects(retry(failing, 2, async () => {})));
`;

const JITTER_TEST = `
test('never waits longer than without jitter', async () => {
  const waits = [];
  await retry(failing, 3, async (ms) => waits.push(ms), () => 0.5).catch(() => {});
  assert.deepStrictEqual(waits, [50, 100]);
});
`;

const RANDOM = ', random = Math.random';

export const AS_IT_WAS = {
  'AGENTS.md': 'Run the tests before you say that you are done.\n',
  'src/retry.js': retry('100 * 2 ** (at - 1)', ''),
  'test/retry.test.js': TESTS,
};

export const WITH_A_FAULT = {
  'src/retry.js': retry('100 * 2 ** (at - 1) * (1 + random())', RANDOM),
  'test/retry.test.js': TESTS + JITTER_TEST,
};

export const MENDED = { 'src/retry.js': retry('100 * 2 ** (at - 1) * random()', RANDOM) };

export const AS_REVIEWED = {
  'src/retry.js': retry('100 * 2 ** (at - 1) * random()', RANDOM).replace(
    'it waits longer.',
    'it waits longer, and not all at the same moment.',
  ),
};

/** What is handed in phase by phase, before anything is written. */
export const DOCUMENTS = {
  strategize: [
    'strategy.md',
    '# Problem\nAll clients come back at the same moment.\n# Objectives\nThey spread.\n' +
      '# Scope\nsrc/retry.js\n# Risks\nLonger waits.\n',
  ],
  spec: ['spec.md', '# Acceptance criteria\nNo wait is longer than it is today.\n'],
  plan: ['plan.md', '# Steps\nThe jitter, then its test.\n# Dependencies\nNone.\n'],
  think: [
    'edge_cases.md',
    '# Edge cases\nA random number of 0.\n# Mitigations\nIt waits 0 ms, as is allowed.\n',
  ],
} as const;

export const JUNIT_BY_HAND =
  '<testsuites><testsuite name="retry"><testcase name="all of them"/></testsuite></testsuites>\n';

export const RUBRIC = JSON.stringify({ criteria: [{ name: 'does what the spec says', score: 1 }] });

/** Nobody's: made for the story. */
export const SECRET = { '.env': 'MAIL_PASSWORD=made-for-the-story\n' };
