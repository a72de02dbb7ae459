/** What the gate is told about one proposal: the owners of its files, and which earlier decisions are still proven. */
import { type Dossier, type GateSettings, latestByPerson } from '../proposal/index.ts';
import { reviewProblem } from './adapters/reviews.ts';
import type { Moment } from './moment.ts';
import { ownedFiles } from './owners.ts';
import { isSignatureValid } from './signatures.ts';

/** What the gate asks about this proposal beside what it asks about all. */
export function aboutProposal(
  dossier: Dossier,
  moment: Moment,
): Promise<Pick<GateSettings, 'owned' | 'provenMakers'>> {
  return approvalsOf(dossier, dossier.proposal.digest, moment);
}

/** The same for approvals of earlier bytes. */
export async function approvalsOf(
  dossier: Dossier,
  digest: string,
  moment: Moment,
): Promise<Pick<GateSettings, 'owned' | 'provenMakers'>> {
  return {
    owned: await ownedFiles(dossier, moment),
    provenMakers: await provenMakers(dossier, digest, moment),
  };
}

/** Whose signature verifies now, or whose review still says so. Most decisions claim neither. */
async function provenMakers(
  dossier: Dossier,
  digest: string,
  moment: Moment,
): Promise<readonly string[]> {
  const proven: string[] = [];
  for (const one of latestByPerson(dossier.attestations, digest)) {
    if (one.verdict !== 'approved') continue;
    const { verified, id } = one.actor;
    if (verified === 'signature' && (await isSignatureValid(one, moment))) proven.push(id);
    if (verified !== 'forge') continue;
    const { why, failed } = await reviewProblem(dossier, one, moment);
    if (why === undefined && failed === undefined) proven.push(id);
  }
  return proven;
}
