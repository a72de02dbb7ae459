/** What this room contributes (`loop/manifests.ts`). */
import type { Entry } from '../facts/index.ts';
import { evidenceSection } from './config-section.ts';
import { PROJECTED_TABLES, projectEntry, type Versions } from './rebuild.ts';

export const room = {
  name: 'evidence',
  sections: [evidenceSection],
  projection: () => {
    const versions: Versions = new Map();
    return {
      tables: PROJECTED_TABLES,
      project: (entry: Entry) => projectEntry(entry, versions),
    };
  },
} as const;
