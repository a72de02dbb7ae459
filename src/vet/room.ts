/** What this room contributes (`loop/manifests.ts`). */
import { SHIPPED_MODES } from '../facts/index.ts';
import { vetSection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'vet',
  sections: [vetSection],
  gates: [
    {
      name: 'vetting',
      comment: 'The quality of a proposal; secrets, scope and evidence hold in every mode.',
      mode: SHIPPED_MODES.vetting,
    },
  ],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
