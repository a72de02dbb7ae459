/** What people are told when a proposal gets somewhere. Being asked for a decision is told by `approve`. */
import type { ProposalState, Severity, StepKind } from '../facts/index.ts';
import type { Notice } from '../notify/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';

interface News {
  readonly to: 'approver' | 'operator';
  readonly severity: Severity;
  readonly words: string;
  readonly step: StepKind;
}

const ON_ARRIVAL: Readonly<Partial<Record<ProposalState, News>>> = {
  monitoring: { to: 'operator', severity: 'medium', words: 'Deployed', step: 'deploy' },
  implemented: { to: 'operator', severity: 'medium', words: 'Proven and kept', step: 'monitor' },
  reverted: { to: 'operator', severity: 'critical', words: 'Taken back', step: 'rollback' },
  quarantined: { to: 'operator', severity: 'high', words: 'Held back', step: 'vet' },
  superseded: { to: 'operator', severity: 'low', words: 'No longer fits', step: 'deploy' },
};

/** What a person must know although the proposal stays where it is. */
function troubleOf(step: ProposalStep): News | undefined {
  if (step.attestations?.some(({ kind, verdict }) => kind === 'rollback' && verdict === 'failed')) {
    const words = 'NOT taken back, a person has to';
    return { to: 'operator', severity: 'critical', words, step: 'rollback' };
  }
  if (step.entries?.some(({ type }) => type === 'monitor.extended')) {
    return { to: 'operator', severity: 'high', words: 'Cannot be judged yet', step: 'monitor' };
  }
  return undefined;
}

export function newsOf({ proposal, content }: Dossier, step: ProposalStep): Notice[] {
  const news = step.to === undefined ? troubleOf(step) : ON_ARRIVAL[step.to];
  if (news === undefined) return [];
  return [
    {
      key: `proposal/${proposal.id}/${proposal.version}/${step.to ?? news.step}`,
      to: news.to,
      severity: news.severity,
      title: `${news.words}: ${content.title}`,
      text: step.did,
      step: news.step,
    },
  ];
}
