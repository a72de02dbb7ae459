/** What the house collects of this room (`loop/manifests.ts`). */
import { approveSection } from './config-section.ts';

export const room = {
  name: 'approve',
  sections: [approveSection],
} as const;
