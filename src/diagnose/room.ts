/** What this room contributes (`loop/manifests.ts`). */
import { diagnoseSection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'diagnose',
  sections: [diagnoseSection],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
