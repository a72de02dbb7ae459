/** Which generator made a change, and for what: what helps against such failures, and who pauses, follows from it. */
import type { Migration } from './types.ts';

const COLUMNS = `
ALTER TABLE learn_fixes ADD COLUMN generator TEXT;
ALTER TABLE learn_fixes ADD COLUMN failure TEXT;
ALTER TABLE learn_fixes ADD COLUMN layer TEXT;
`;

export const madeBy: Migration = {
  id: 41,
  name: 'made-by',
  breaking: false,
  sqlite: COLUMNS,
  postgres: COLUMNS,
};
