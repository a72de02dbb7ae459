/** Every check, in the order they are reported. A new one is a line in its list. */
import { loopChecks } from './loop-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { recordChecks } from './record-checks.ts';
import { storeChecks } from './store-checks.ts';
import type { Check } from './types.ts';

export const CHECKS: readonly Check[] = [
  ...machineChecks,
  ...storeChecks,
  ...recordChecks,
  ...loopChecks,
];
