/**
 * Every table that comes from the ledger, with what entries do to it. Not among them, because the ledger has
 * not all of it: artifacts, leases, the outbox's payloads, when schedules run
 * next, the queue of open work, news that wait, and all of telemetry.
 */
import * as config from '../config/rebuild.ts';
import * as deploy from '../deploy/index.ts';
import * as diagnose from '../diagnose/index.ts';
import * as identity from '../identity/rebuild.ts';
import * as learn from '../learn/index.ts';
import type { Projection } from '../ledger/index.ts';
import * as loop from '../loop/index.ts';
import * as monitor from '../monitor/index.ts';
import * as policy from '../policy/index.ts';
import * as proposal from '../proposal/index.ts';

export function makeProjections(): Projection[] {
  const versions: proposal.Versions = new Map();
  return [
    ...[config, identity, policy, diagnose, deploy, monitor, learn, loop].map((room) => ({
      tables: room.PROJECTED_TABLES,
      project: room.projectEntry,
    })),
    {
      tables: proposal.PROJECTED_TABLES,
      project: (entry) => proposal.projectEntry(entry, versions),
    },
  ];
}
