/** Which tiers decide without a person. One row; its newest entry is found without reading the ledger. */
import type { Migration } from './types.ts';

const TABLE = (integer: string, text: string) => `
CREATE TABLE policy_automatic (
  id ${integer} PRIMARY KEY CHECK (id = 1),
  auto_on ${integer} NOT NULL,
  notify_on ${integer} NOT NULL,
  since_ms ${integer} NOT NULL,
  reason ${text} NOT NULL,
  actor ${text} NOT NULL,
  changed_at_ms ${integer} NOT NULL
)`;

const INDEX = `
CREATE INDEX ledger_entries_automatic ON ledger_entries (subject, idx) WHERE subject = 'hone:automatic';
`;

export const automaticTiers: Migration = {
  id: 21,
  name: 'automatic tiers',
  breaking: false,
  sqlite: `${TABLE('INTEGER', 'TEXT')} STRICT;${INDEX}`,
  postgres: `${TABLE('bigint', 'text')};${INDEX}`,
};
