/** Every migration there is, in order. Control takes the ids below 1000, telemetry those from 1001. */
import { foundation } from './001-foundation.ts';
import type { MigrationSet } from './types.ts';

export const controlMigrations: MigrationSet = { name: 'control', migrations: [foundation] };
