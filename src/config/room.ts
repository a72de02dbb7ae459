/** What this room contributes (`loop/manifests.ts`). */
import { foundationSections } from './foundation-sections.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'config',
  sections: foundationSections,
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
