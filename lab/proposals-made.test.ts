import { describe, expect, test } from 'vitest';
import type { Expectation } from './expect-schema.ts';
import { judgedProposal } from './proposals-made.ts';
import { firstFiles } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';

const tooLow = bundledScenario('timeout-too-low');
const base = firstFiles(tooLow);
const file = 'agents/researcher.yaml';

/** A diff that replaces one line of the researcher's file. */
function diffOf(from: string, to: string): string {
  const lines = base.get(file)!.split('\n');
  const index = lines.findIndex((line) => line.includes(from));
  const line = lines[index]!;
  const head = `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n`;
  return `${head}@@ -${index + 1},1 +${index + 1},1 @@\n-${line}\n+${line.replace(from, to)}\n`;
}

function judged(diff: string, expect: Expectation | Expectation[] = tooLow.expect as Expectation) {
  const content = { title: 'x', baseCommit: '', files: [file] };
  const { isRightPlace, isRight } = judgedProposal({ state: 'implemented', content, diff }, base, {
    ...tooLow,
    expect,
  });
  return [isRightPlace, isRight];
}

describe('a proposal', () => {
  test('is right at the right line and in the right direction only', () => {
    expect(judged(diffOf('800', '1500'))).toEqual([true, true]);
    expect(judged(diffOf('800', '400'))).toEqual([true, false]);
    expect(judged(diffOf('6000', '9000'))).toEqual([false, false]);
  });

  test('is wrong wherever nothing may change, and neither where it may be tried', () => {
    const place = { file, path: ['tools', 'web_search', 'timeout_ms'] };
    expect(judged(diffOf('800', '1500'), { outcome: 'untouched' })).toEqual([false, false]);
    expect(judged(diffOf('800', '1500'), { outcome: 'untouched', may_try: [place] })).toEqual([
      null,
      null,
    ]);
    expect(judged(diffOf('6000', '1'), { outcome: 'untouched', may_try: [place] })).toEqual([
      false,
      false,
    ]);
  });

  test('whose harm is expected is never a right change, so taking it back is no mistake', () => {
    const place = { file, path: ['tools', 'fetch_page', 'timeout_ms'] };
    const both: Expectation[] = [
      tooLow.expect as Expectation,
      { outcome: 'taken_back', places: [place] },
    ];
    expect(judged(diffOf('6000', '9000'), both)).toEqual([null, null]);
    expect(judged(diffOf('800', '1500'), both)).toEqual([true, true]);
    expect(judged(diffOf('6000', '9000'), { outcome: 'taken_back' })).toEqual([null, null]);
  });
});
