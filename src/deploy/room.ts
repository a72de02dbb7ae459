/** What this room contributes (`loop/manifests.ts`). */
import { SHIPPED_MODES } from '../facts/index.ts';
import { deploySection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'deploy',
  sections: [deploySection],
  gates: [
    {
      name: 'deploy',
      comment: 'Validation, decision, backup: always enforced; another mode has no effect.',
      mode: SHIPPED_MODES.deploy,
      isFixed: true,
    },
  ],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
