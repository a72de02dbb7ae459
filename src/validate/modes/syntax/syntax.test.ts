import { modeContract } from '../../mode-contract.test-support.ts';
import { modeCase } from '../../validate.test-support.ts';
import { syntax } from './syntax.ts';

const FILE = 'agents/search.yaml';
const before = { [FILE]: 'timeout_ms: 1000\n' };

modeContract(syntax, {
  good: () => modeCase(before, { [FILE]: 'timeout_ms: 3000\n' }),
  bad: () => modeCase(before, { [FILE]: 'timeout_ms: [3000\n' }),
  unclear: () => modeCase(before, { 'agents/search.lua': 'return 3000\n' }),
});
