import { describe, expect, test } from 'vitest';
import { type GrantCase, grants, tunings } from './grant-cases.test-support.ts';
import { testPolicies } from './policy-tests.ts';
import { touched } from './validate.test-support.ts';

const titled = (cases: readonly GrantCase[]) =>
  cases.map((one) => {
    const { file, before, after, heldOut } = one;
    return [`${heldOut ? 'held out' : 'seen'} ${file} ${before} -> ${after}`, one] as const;
  });

async function reasonsFor({ file, before, after }: GrantCase): Promise<readonly string[]> {
  const { outcome, reasons } = testPolicies(
    await touched({ [file]: before }, { [file]: after }),
    [],
  );
  return outcome === 'failed' ? reasons : [];
}

describe('VAL-1: a change that grants a permission fails', () => {
  test.each(titled(grants))('%s', async (_, one) => {
    expect(await reasonsFor(one)).not.toEqual([]);
  });
});

describe('VAL-1: a tuning grants nothing', () => {
  test.each(titled(tunings))('%s', async (_, one) => {
    expect(await reasonsFor(one)).toEqual([]);
  });
});
