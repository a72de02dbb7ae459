/** What this room contributes (`loop/manifests.ts`). */
import { validateSection } from './config-section.ts';

export const room = {
  name: 'validate',
  sections: [validateSection],
} as const;
