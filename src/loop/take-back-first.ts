/**
 * Calls for the rollback of changes that are on top of one that is to be taken back. It is part of the step of that one, so
 * that a process that is killed has called for all of them or for none; and each is then taken back by its own steps.
 */
import { onTopReport } from '../deploy/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { isCalledBack, type ProposalStep, planStep, readDossier } from '../proposal/index.ts';
import type { Moment } from './moment.ts';
import { changeWork, readWork, unchanged, workId } from './works.ts';

export async function takeBackFirst(
  ids: readonly string[],
  below: string,
  { store, gate, nowMs, newId }: Moment,
): Promise<Omit<ProposalStep, 'did'>> {
  const parts: Pick<Required<ProposalStep>, 'expect' | 'writes' | 'entries'>[] = [];
  for (const id of ids) {
    const dossier = await readDossier(store, id);
    const work = await readWork(store, workId('proposal', id));
    if (work === undefined || isCalledBack(dossier.attestations, dossier.proposal.digest)) continue;
    const reason = `It is on top of ${below}, which is taken back, and on the same lines. It has nothing to answer for and may be tried again without it.`;
    const step: ProposalStep = {
      did: reason,
      attestations: [
        { kind: 'monitoring', verdict: 'degraded', files: [onTopReport(below, reason)] },
      ],
    };
    const planned = planStep(dossier, step, { actor: SYSTEM, gate, nowMs, newId });
    if ('refused' in planned) continue;
    const { expect = [], writes = [], entries = [] } = planned.plan;
    parts.push({
      expect: [...expect, unchanged(work)],
      writes: [...writes, changeWork(work, { dueAtMs: nowMs, step: 'rollback' }, nowMs)],
      entries,
    });
  }
  return {
    expect: parts.flatMap(({ expect }) => expect),
    writes: parts.flatMap(({ writes }) => writes),
    entries: parts.flatMap(({ entries }) => entries),
  };
}
