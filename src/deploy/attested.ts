/** What the room once attested about a deployment, read back from its file. */
import { z } from 'zod';
import { readArtifact } from '../artifact/index.ts';
import { type Dossier, latest } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';

/** Older files have none of them. */
const fileSchema = z.object({
  movedAt: z.iso.datetime().optional(),
  overtakenBy: z.string().optional(),
  isUndecided: z.boolean().optional(),
});

async function deploymentFile({ proposal, attestations }: Dossier, store: Store) {
  const [digest] = latest(attestations, 'deployment', proposal.digest)?.artifacts ?? [];
  if (digest === undefined) return {};
  const text = Buffer.from((await readArtifact(store, digest)).content).toString();
  return fileSchema.safeParse(JSON.parse(text)).data ?? {};
}

/** When the branch moved, or the earliest that it can have; undefined when that is not known. */
export async function movedAtMs(dossier: Dossier, store: Store): Promise<number | undefined> {
  const { movedAt } = await deploymentFile(dossier, store);
  return movedAt === undefined ? undefined : Date.parse(movedAt);
}

/** Whether it was not deployed only because somebody else moved the branch first. */
export async function wasOvertaken(dossier: Dossier, store: Store): Promise<boolean> {
  return (await deploymentFile(dossier, store)).overtakenBy !== undefined;
}

/** Whether its deployment was tried and failed by itself: nobody was faster, and nobody withdrew a decision. */
export async function hasFailedToDeploy(dossier: Dossier, store: Store): Promise<boolean> {
  const { attestations, proposal } = dossier;
  if (latest(attestations, 'deployment', proposal.digest)?.verdict !== 'failed') return false;
  const { overtakenBy, isUndecided } = await deploymentFile(dossier, store);
  return overtakenBy === undefined && isUndecided !== true;
}
