/** What this room contributes (`loop/manifests.ts`). */
import type { Entry } from '../facts/index.ts';
import { processSection } from './config-section.ts';
import { type Folded, PROJECTED_TABLES, projectEntry } from './rebuild.ts';

export const room = {
  name: 'process',
  sections: [processSection],
  schedules: [
    {
      name: 'stalledTasks',
      comment: 'Ask a person about tasks of agents that make no progress.',
      cron: '*/10 * * * *',
      timeout: '2m',
      notify: [{ on: 'error', to: 'operator' }],
    },
  ],
  projection: () => {
    const folded: Folded = new Map();
    return {
      tables: PROJECTED_TABLES,
      project: (entry: Entry) => projectEntry(entry, folded),
    };
  },
} as const;
