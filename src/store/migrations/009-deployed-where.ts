/** The repository that a deployment went to: where its rollback goes, whatever the configuration says later. */
import type { Migration } from './types.ts';

const COLUMN = 'ALTER TABLE deploy_deployments ADD COLUMN repository TEXT;\n';

export const deployedWhere: Migration = {
  id: 9,
  name: 'deployed-where',
  breaking: false,
  sqlite: COLUMN,
  postgres: COLUMN,
};
