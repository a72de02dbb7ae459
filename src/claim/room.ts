/** What this room contributes (`loop/manifests.ts`). */
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'claim',
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
