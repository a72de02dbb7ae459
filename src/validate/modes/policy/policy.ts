/** The policy tests (VAL-1) as a mode. */
import { testPolicies } from '../../policy-tests.ts';
import type { ValidationMode } from '../../types.ts';

export const policy: ValidationMode = {
  name: 'policy',
  evidenceKinds: ['files'],
  assumes: [],
  runsChange: false,
  async judge({ files }, { settings }) {
    const { outcome: verdict, reasons, tests } = testPolicies(files, settings.forbiddenPaths);
    return { verdict, reasons, improvesTarget: null, found: { tests } };
  },
};
