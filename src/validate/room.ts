/** What the house collects of this room (`loop/manifests.ts`). */
import { validateSection } from './config-section.ts';

export const room = {
  name: 'validate',
  sections: [validateSection],
} as const;
