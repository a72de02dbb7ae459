/** Whether a change that the watch called back has nothing to answer for. */
import { z } from 'zod';
import { readArtifact } from '../artifact/index.ts';
import type { Store } from '../store/index.ts';
import { rollbackCall } from './attestations.ts';
import { readAttestations } from './proposal-store.ts';

const reportSchema = z.object({ blame: z.literal('none') });

/** By the report that called it back. One that cannot be read blames it. */
export async function isBlameless(
  store: Store,
  proposalId: string,
  contentDigest: string,
): Promise<boolean> {
  const call = rollbackCall(await readAttestations(store, proposalId), contentDigest);
  const [digest] = call?.artifacts ?? [];
  if (call?.kind !== 'monitoring' || digest === undefined) return false;
  const file = await readArtifact(store, digest).catch(() => undefined);
  if (file?.mediaType !== 'application/json') return false;
  return reportSchema.safeParse(JSON.parse(Buffer.from(file.content).toString())).success;
}
