/** What this room contributes (`loop/manifests.ts`). */
import { SHIPPED_MODES } from '../facts/index.ts';
import { gatewaySection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'gateway',
  sections: [gatewaySection],
  gates: [
    {
      name: 'gateway',
      comment: 'Contracts of tools behind "hone mcp gateway".',
      mode: SHIPPED_MODES.gateway,
    },
    {
      name: 'hooks',
      comment: 'The same for the hooks of Claude Code and Codex.',
      mode: SHIPPED_MODES.hooks,
    },
  ],
  projection: () => ({ tables: PROJECTED_TABLES, project: projectEntry }),
} as const;
