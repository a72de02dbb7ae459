/** From and to which amount a change moved a value: a much smaller step than one that did harm may be tried. */
import type { Migration } from './types.ts';

const COLUMNS = `
ALTER TABLE learn_fixes ADD COLUMN step_from REAL;
ALTER TABLE learn_fixes ADD COLUMN step_to REAL;
`;

export const stepSizes: Migration = {
  id: 28,
  name: 'step-sizes',
  breaking: false,
  sqlite: COLUMNS,
  postgres: COLUMNS.replaceAll(' REAL', ' DOUBLE PRECISION'),
};
