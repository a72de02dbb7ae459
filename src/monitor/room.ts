/** What this room contributes (`loop/manifests.ts`). */
import { monitorSection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'monitor',
  sections: [monitorSection],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
