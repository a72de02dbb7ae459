import { describe, expect, test } from 'vitest';
import { modeContract } from '../../mode-contract.test-support.ts';
import type { ValidatePorts } from '../../types.ts';
import { type Files, modeCase, SETTINGS } from '../../validate.test-support.ts';
import { policy } from './policy.ts';

const FILE = 'agents/search.yaml';
const tuned = { [FILE]: 'timeout_ms: 1000\n' };

modeContract(policy, {
  good: () => modeCase(tuned, { [FILE]: 'timeout_ms: 3000\n' }),
  bad: () => modeCase(tuned, { 'hone.yaml': 'approve: {}\n' }),
  unclear: () =>
    modeCase(
      { [FILE]: 'tools: {search: {sends: [q, lang]}}\n' },
      { [FILE]: 'tools: {search: {sends: [q, locale]}}\n' },
    ),
});

describe('VAL-6: a declared file whose name says that it judges', () => {
  const judged = async (path: string, more: Files, ports: Partial<ValidatePorts>) => {
    const before = { ...more, [path]: 'wait: 1\n' };
    const { change, ports: given } = await modeCase(before, { [path]: 'wait: 2\n' });
    return policy.judge(change, { ...given, ...ports }, new AbortController().signal);
  };
  const ci = { '.github/workflows/ci.yml': 'steps:\n  - run: ./fleet/gate.sh --all\n' };
  const scripts = { 'package.json': '{"scripts": {"check": "node fleet/judge.mjs"}}' };
  const agentFiles = ['fleet/**'];

  test('is asked about, and its reason says so', async () => {
    expect(await judged('fleet/toll-gate.yaml', ci, { agentFiles })).toMatchObject({
      verdict: 'inconclusive',
      reasons: [expect.stringContaining('a person decides')],
    });
  });

  test('fails where CI or a command of validation runs it', async () => {
    expect(await judged('fleet/gate.sh', ci, { agentFiles })).toMatchObject({ verdict: 'failed' });
    expect(await judged('fleet/gate.sh', {}, { agentFiles })).toMatchObject({
      verdict: 'inconclusive',
    });
    const settings = { ...SETTINGS, test: ['npm', 'run', 'check'] };
    expect(await judged('fleet/judge.mjs', scripts, { agentFiles, settings })).toMatchObject({
      verdict: 'failed',
      reasons: [expect.stringContaining('"judge"')],
    });
    expect(await judged('fleet/judge.mjs', scripts, { agentFiles })).toMatchObject({
      verdict: 'inconclusive',
    });
  });

  test('is asked about where the operator spelled out that very file', async () => {
    expect(await judged('fleet/gate.sh', ci, { agentFiles: ['fleet/gate.sh'] })).toMatchObject({
      verdict: 'inconclusive',
    });
  });
});
