/** What a validation has spent on a model, with what it may be spending right now. */
import type { Migration } from './types.ts';

const TABLES = `
CREATE TABLE model_spending (
  account TEXT PRIMARY KEY,
  spent_micros INTEGER NOT NULL
);
`;

export const modelSpending: Migration = {
  id: 37,
  name: 'model-spending',
  breaking: false,
  sqlite: TABLES.replaceAll('\n);', '\n) STRICT;'),
  postgres: TABLES.replaceAll(' INTEGER', ' BIGINT'),
};
