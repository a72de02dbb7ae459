/**
 * Finds what gates let a proposal pass without reading the whole ledger each time somebody looks at one. Only such
 * entries are in it, and they are rare: others cost a search of their text, no page. PostgreSQL has all by subject.
 */
import type { Migration } from './types.ts';

export const letPass: Migration = {
  id: 20,
  name: 'let pass',
  breaking: false,
  sqlite: `
CREATE INDEX ledger_entries_let_pass ON ledger_entries (subject, idx)
  WHERE instr(body, '"type":"policy.let_pass"') > 0;
`,
  postgres: 'SELECT 1;',
};
