/** The auditor's look at a finished run: the ledger verifies, and every invariant held. */
import { brokenInvariants } from '../src/app/broken-invariants.ts';
import type { LabInstallation } from './installation.ts';

/** One line for each thing that is wrong. */
export async function auditLedger(lab: LabInstallation): Promise<string[]> {
  const verified = await lab.hone('ledger', 'verify');
  const broken = verified.exit === 0 ? [] : [`ledger verify: ${verified.out}${verified.err}`];
  const context = lab.context();
  const opened = await context.open();
  try {
    await opened.placePending();
    await using loop = await context.openLoop(opened);
    const violations = await brokenInvariants(opened.store, loop.ports.telemetry, {
      rollbackMs: opened.config.deploy.rollbackTimeout,
    });
    return [...broken, ...violations];
  } finally {
    await opened.close();
  }
}
