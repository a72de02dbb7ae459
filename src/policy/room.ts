/** What this room contributes (`loop/manifests.ts`). */
import { SHIPPED_MODES } from '../facts/index.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'policy',
  gates: [
    {
      name: 'limits',
      comment: 'Cycles a day and open proposals, as set below; a high ceiling always holds.',
      mode: SHIPPED_MODES.limits,
    },
  ],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
