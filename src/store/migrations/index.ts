/** Every migration there is, in order. Control takes the ids below 1000, telemetry those from 1001. */
import { foundation } from './001-foundation.ts';
import { rooms } from './002-rooms.ts';
import { notices } from './003-notices.ts';
import { fewerIndexes } from './004-fewer-indexes.ts';
import { oneNotePerSize } from './005-one-note-per-size.ts';
import { triggers } from './006-triggers.ts';
import { changes } from './007-changes.ts';
import { ignoredPatterns } from './008-ignored-patterns.ts';
import { deployedWhere } from './009-deployed-where.ts';
import { tasks } from './012-tasks.ts';
import { gateway } from './013-gateway.ts';
import { submissions } from './015-submissions.ts';
import { hooks } from './018-hooks.ts';
import { letPass } from './020-let-pass.ts';
import { automaticTiers } from './021-automatic-tiers.ts';
import { stepSizes } from './028-step-sizes.ts';
import { howSure } from './031-how-sure.ts';
import { mergedPatterns } from './035-merged-patterns.ts';
import { modelSpending } from './037-model-spending.ts';
import { agentsAtWork } from './040-agents-at-work.ts';
import { madeBy } from './041-made-by.ts';
import { telemetry } from './1001-telemetry.ts';
import { FINGERPRINTS } from './fingerprints.ts';
import { keepFingerprint } from './other-build.ts';
import type { MigrationSet } from './types.ts';

export const controlMigrations: MigrationSet = {
  name: 'control',
  migrations: [
    foundation,
    rooms,
    notices,
    fewerIndexes,
    oneNotePerSize,
    triggers,
    changes,
    ignoredPatterns,
    deployedWhere,
    tasks,
    gateway,
    submissions,
    hooks,
    letPass,
    automaticTiers,
    stepSizes,
    howSure,
    mergedPatterns,
    modelSpending,
    agentsAtWork,
    madeBy,
  ],
};

export const telemetryMigrations: MigrationSet = {
  name: 'telemetry',
  migrations: [telemetry],
};

/** For PostgreSQL, where both are in one database. */
export const allMigrations: MigrationSet = {
  name: 'control',
  migrations: [...controlMigrations.migrations, ...telemetryMigrations.migrations],
};

for (const migration of allMigrations.migrations) {
  const fingerprint = FINGERPRINTS[migration.id];
  if (fingerprint !== undefined) keepFingerprint(migration, fingerprint);
}
