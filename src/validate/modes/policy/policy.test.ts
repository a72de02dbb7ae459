import { modeContract } from '../../mode-contract.test-support.ts';
import { modeCase } from '../../validate.test-support.ts';
import { policy } from './policy.ts';

const FILE = 'agents/search.yaml';
const tuned = { [FILE]: 'timeout_ms: 1000\n' };

modeContract(policy, {
  good: () => modeCase(tuned, { [FILE]: 'timeout_ms: 3000\n' }),
  bad: () => modeCase(tuned, { 'hone.yaml': 'approve: {}\n' }),
  unclear: undefined,
});
