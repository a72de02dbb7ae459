/** The policy tests (VAL-1) as a mode. */

import { testPolicies } from '../../policy-tests.ts';
import { readContext } from '../../read-context.ts';
import type { ValidationMode } from '../../types.ts';

export const policy: ValidationMode = {
  name: 'policy',
  evidenceKinds: ['files'],
  assumes: [],
  runsChange: false,
  async judge(change, ports) {
    const context = await readContext(change, ports);
    const { outcome: verdict, reasons, tests } = testPolicies(change.files, context);
    return { verdict, reasons, improvesTarget: null, found: { tests } };
  },
};
