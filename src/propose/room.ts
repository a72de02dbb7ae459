/** What this room contributes (`loop/manifests.ts`). */
import { proposeSection } from './config-section.ts';

export const room = {
  name: 'propose',
  sections: [proposeSection],
} as const;
