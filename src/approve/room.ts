/** What this room contributes (`loop/manifests.ts`). */
import { approveSection } from './config-section.ts';

export const room = {
  name: 'approve',
  sections: [approveSection],
} as const;
