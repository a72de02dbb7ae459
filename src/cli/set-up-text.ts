/** What `hone init` found and what is still to do, in words. */
import type { NextStep } from '../app/next-steps.ts';
import type { Detected } from '../config/index.ts';
import { plainLine } from './io.ts';
import { fields } from './layout.ts';
import { shown } from './shown.ts';

/** For the person who looks whether Hone understood the repository. */
export function foundPairs(detected: Detected): (readonly [label: string, value: string])[] {
  const { languages, packageManagers, testRunners, testCommand, ci, mcpConfigs } = detected;
  const tests = testCommand === '' ? testRunners : [`tests by "${testCommand}"`];
  const found = [...languages, ...packageManagers, ...tests, ...ci, ...mcpConfigs];
  const pairs = [
    ['Found', shown(found.join(', '))],
    ['Agent files', shown(detected.agentFiles.join(', '))],
  ] as const;
  return pairs.filter(([, value]) => value !== '');
}

export function nextText(steps: readonly NextStep[], columns: number): string {
  const listed = steps.map(({ what, lines = [] }, at) => {
    const words = fields([[`${at + 1}.`, plainLine(what)]], columns, '  ');
    return words + lines.map((line) => `        ${line}\n`).join('');
  });
  return `Next:\n${listed.join('')}`;
}
