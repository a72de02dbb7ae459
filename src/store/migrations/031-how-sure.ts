/** How sure the cause of a change was by its clues: whether that was right teaches how sure to be. */
import type { Migration } from './types.ts';

const COLUMN = 'ALTER TABLE learn_fixes ADD COLUMN by_clues REAL;';

export const howSure: Migration = {
  id: 31,
  name: 'how-sure',
  breaking: false,
  sqlite: COLUMN,
  postgres: COLUMN.replace(' REAL', ' DOUBLE PRECISION'),
};
