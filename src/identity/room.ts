/** What this room contributes (`loop/manifests.ts`). */
import { SHIPPED_MODES } from '../facts/index.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'identity',
  gates: [
    {
      name: 'identity',
      comment: 'How far the person who decides is verified.',
      mode: SHIPPED_MODES.identity,
    },
  ],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
