import { rolloutContract } from '../../rollout-contract.test-support.ts';
import { none } from './none.ts';

rolloutContract('none', async () => ({ rollout: none }));
