import { describe, expect, test } from 'vitest';
import { type GrantCase, grants, tunings, unclear } from './grant-cases.test-support.ts';
import { readNames } from './known-names.ts';
import { policyContext } from './policy-context.ts';
import { testPolicies } from './policy-tests.ts';
import { makeTarget, touchedBy } from './validate.test-support.ts';

const titled = (cases: readonly GrantCase[]) =>
  cases.map((one) => {
    const { file, before, after, heldOut } = one;
    return [`${heldOut ? 'held out' : 'seen'} ${file} ${before} -> ${after}`, one] as const;
  });

async function outcomeOf({ file, before, after }: GrantCase, parameters: readonly string[] = []) {
  const target = await makeTarget({ [file]: before }, { [file]: after });
  const names = await readNames({ ...target, agentFiles: [], touched: [file] }, async ([tool]) =>
    tool === undefined || parameters.length === 0
      ? []
      : [{ agent: 'a', tool, startMs: 0, endMs: 1, failedWith: null, parameterNames: parameters }],
  );
  return testPolicies(await touchedBy(target), policyContext({ names }));
}

describe('VAL-1 PROP-4: a change that grants a permission fails', () => {
  test.each(titled(grants))('%s', async (_, one) => {
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'failed' });
  });
});

describe('VAL-1: a tuning grants nothing', () => {
  test.each(titled(tunings))('%s', async (_, one) => {
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'passed' });
  });
});

describe('VAL-1: of a name that nothing tells about, a person decides', () => {
  test.each(titled(unclear))('%s', async (_, one) => {
    expect(await outcomeOf(one)).toMatchObject({
      outcome: 'inconclusive',
      reasons: [expect.stringContaining('a person decides')],
    });
  });

  test('not where the tool itself told of a parameter of that name', async () => {
    const sends = unclear.find(({ before }) => before.includes('sends'))!;
    expect(await outcomeOf(sends, ['q', 'locale'])).toMatchObject({ outcome: 'passed' });
    expect(await outcomeOf(sends, ['q', 'region'])).toMatchObject({ outcome: 'inconclusive' });
  });
});
