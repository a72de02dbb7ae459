/** What this room contributes (`loop/manifests.ts`). */
import type { Entry } from '../facts/index.ts';
import { PROJECTED_TABLES, projectEntry, type Versions } from './rebuild.ts';

export const room = {
  name: 'proposal',
  projection: () => {
    const versions: Versions = new Map();
    return {
      tables: PROJECTED_TABLES,
      project: (entry: Entry) => projectEntry(entry, versions),
    };
  },
} as const;
