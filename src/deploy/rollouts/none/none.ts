/** There is nothing between the branch and the agents: whoever reads the branch gets the change. */
import type { Rollout } from '../../types.ts';

export const none: Rollout = {
  name: 'none',
  about: 'a change reaches everything at once',
  reaches: 'whole',
  words:
    'It reaches everything at once: this target cannot try it on a share first. Hone watches it afterwards and takes it back if it does harm.',
};
