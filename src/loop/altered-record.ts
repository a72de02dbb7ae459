/**
 * A deployment stops at a part of its record that cannot be trusted: the bytes of a file do not match
 * its digest, or they are missing. The step fails, and is tried again; but somebody changed the database, so an
 * operator is notified, just as when rows differ from the ledger.
 */
import { ArtifactError } from '../artifact/index.ts';
import { errorMessage } from '../base/index.ts';
import type { EffectDraft, ProposalState } from '../facts/index.ts';
import { LedgerError } from '../ledger/index.ts';
import { channelsOf, noticeEffects } from '../notify/index.ts';
import { readProposal } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { ROWS_DIFFER } from './before-deploy.ts';
import { RECORD_UNFIT } from './news.ts';
import type { LoopPorts, Work } from './types.ts';

const BEING_DEPLOYED: readonly ProposalState[] = ['approved', 'deploying'];

function isRecordUnfit(error: unknown): boolean {
  if (error instanceof ArtifactError) return error.code !== 'too_large';
  return error instanceof LedgerError;
}

/** The notice with the failed step; sent once, however often the step is retried. */
export async function alteredNews(
  { kind, subject }: Work,
  error: unknown,
  { store, config }: Pick<LoopPorts, 'store' | 'config'>,
): Promise<{ readonly effects: readonly EffectDraft[]; readonly needsPerson: boolean }> {
  const nothing = { effects: [], needsPerson: false };
  if (kind !== 'proposal' || !isRecordUnfit(error)) return nothing;
  // Not the content, which may be what cannot be read.
  const { id, version, state, title } = await readProposal(store, subject);
  if (!BEING_DEPLOYED.includes(state)) return nothing;
  const notice = {
    key: `proposal/${id}/${version}/${ROWS_DIFFER}`,
    to: 'operator',
    severity: 'critical',
    title: `${RECORD_UNFIT}: ${title}`,
    text: `It is NOT deployed: ${recordedText(errorMessage(error))} Run "hone ledger verify", then restore a backup.`,
    step: 'deploy',
  } as const;
  return { effects: noticeEffects(notice, channelsOf(config.notify)), needsPerson: true };
}
