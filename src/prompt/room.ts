/** What this room contributes (`loop/manifests.ts`). */

import { promptSection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'prompt',
  sections: [promptSection],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
