/** What the house collects of this room (`loop/manifests.ts`). */
import { proposeSection } from './config-section.ts';

export const room = {
  name: 'propose',
  sections: [proposeSection],
} as const;
