/** What this room contributes (`loop/manifests.ts`). */
import { learnSection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'learn',
  sections: [learnSection],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
