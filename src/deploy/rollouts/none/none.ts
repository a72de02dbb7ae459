/** Nothing between the branch and the agents: whoever reads the branch gets the change. */
import type { Rollout } from '../../types.ts';

export const none: Rollout = {
  name: 'none',
  about: 'a change reaches everything at once',
  reaches: 'whole',
  words:
    'It reaches everything at once: this target has no way to give it to a share first. The watch after it is what takes it back if it does harm.',
};
