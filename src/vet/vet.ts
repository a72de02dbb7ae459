/**
 * Vetting: one step of a proposal in `draft`. Reads what the checks need, runs the whole rubric, and
 * says what it found as an attestation with its report. It changes nothing by itself.
 */
import assert from 'node:assert/strict';
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import type { ProposalState } from '../facts/index.ts';
import { CONSTITUTION } from '../policy/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { citedEvents, eventId } from './check-evidence.ts';
import { readDiff } from './read-diff.ts';
import { RUBRIC, verdictOf } from './rubric.ts';
import type { CheckOutcome, CheckResult, VetInput, VetPorts } from './types.ts';

const LOOK_AGAIN_MS = 3_600_000;
const DID_MAX = 1000;

const NEXT: Readonly<Record<CheckOutcome, ProposalState>> = {
  passed: 'vetted',
  failed: 'rejected',
  held: 'quarantined',
};

type NamedResult = CheckResult & { readonly name: string; readonly rule: number | null };

export async function vet(dossier: Dossier, ports: VetPorts): Promise<ProposalStep> {
  const { proposal } = dossier;
  assert(proposal.state === 'draft', `a ${proposal.state} proposal is not vetted`);
  const input = await readInput(dossier, ports);
  const released = (await ports.releasedByPerson?.(proposal.id, proposal.digest)) ?? false;
  const results = RUBRIC.checks.map(({ name, rule, run }) => ({ name, rule, ...run(input) }));
  const judged = released ? results.map(letOut) : results;
  const verdict = verdictOf(judged);
  // A limit is not the proposal's fault: it waits. What fails anyway needs no place.
  if (verdict !== 'failed' && ports.openProposals >= ports.openProposalsMax) return wait(ports);
  const report = {
    report: 'vetting',
    rubric: RUBRIC.version,
    constitution: CONSTITUTION.version,
    digest: proposal.digest,
    verdict,
    releasedByPerson: released,
    checks: judged,
  };
  const file = makeArtifact(canonicalJson(report), 'application/json');
  return {
    did: sentence(verdict, judged),
    attestations: [{ kind: 'vetting', verdict, files: [file] }],
    to: NEXT[verdict],
  };
}

async function readInput({ content }: Dossier, ports: VetPorts): Promise<VetInput> {
  const diff = await readDiff(content.diff, (digest) => ports.diffText(digest));
  const cited = citedEvents(content);
  const existing: string[] = [];
  for (const reference of cited)
    if (await ports.eventExists(eventId(reference))) existing.push(reference);
  const pattern = content.pattern === null ? undefined : await ports.patternOf(content.pattern);
  return { content, diff, limits: ports.limits, cited, existing, pattern };
}

/** A person saw what was held and let it go on; what failed stays failed. */
function letOut(result: NamedResult): NamedResult {
  if (result.outcome !== 'held') return result;
  const reasons = ['A person released it from quarantine.', ...result.reasons];
  return { ...result, outcome: 'passed', reasons };
}

function wait({ openProposals, openProposalsMax, nowMs }: VetPorts): ProposalStep {
  return {
    did: `It waits: ${openProposals} proposals are open, and ${openProposalsMax} at once are allowed (rule 7).`,
    dueAtMs: nowMs + LOOK_AGAIN_MS,
  };
}

function sentence(verdict: CheckOutcome, results: readonly NamedResult[]): string {
  if (verdict === 'passed')
    return `Vetting passed: ${results.length} checks of rubric ${RUBRIC.version}.`;
  const against = results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(
      ({ name, rule, reasons }) =>
        `${name}${rule === null ? '' : ` (rule ${rule})`}: ${reasons[0]}`,
    );
  const text = `Vetting ${verdict === 'held' ? 'holds it for a person' : 'failed'}: ${against.join(' ')}`;
  return text.length > DID_MAX ? `${text.slice(0, DID_MAX).toWellFormed()}…` : text;
}
