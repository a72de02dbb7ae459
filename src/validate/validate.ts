/**
 * Validation: the steps of a proposal in `vetted` and `validating`. The modes of the list run in order; each
 * verdict is an attestation of its own. A change that failed one is never run by another.
 */
import { assert } from '../base/index.ts';
import type { ProposalState, VerdictOf } from '../facts/index.ts';
import type { Dossier, ProposalStep, StepAttestation } from '../proposal/index.ts';
import { type Candidate, makeCandidate } from './candidate.ts';
import { choiceFor } from './modes/manual/manual.ts';
import { DIFF_MODE, MODES } from './modes.ts';
import { makeReports } from './report.ts';
import type { Judged, ModePending, ValidatePorts } from './types.ts';

const DID_MAX = 1000;

const NEXT: Readonly<Record<VerdictOf<'validation'>, ProposalState>> = {
  passed: 'validated',
  failed: 'failed',
  inconclusive: 'inconclusive',
};

export function begin({ proposal }: Dossier): ProposalStep {
  return { did: `Validation of ${proposal.id} begins.`, to: 'validating' };
}

/** When the signal aborts there is no verdict: its reason is thrown, and the step can be taken again. */
export async function validate(
  dossier: Dossier,
  ports: ValidatePorts,
  signal: AbortSignal,
): Promise<ProposalStep> {
  const { proposal, content } = dossier;
  assert(proposal.state === 'validating', `a ${proposal.state} proposal is not validated`);
  const made = await makeCandidate(content, ports);
  const judged = made.ok
    ? await runModes({ dossier, made, ports, signal })
    : [diffJudged('failed', `The diff: ${made.why}.`.toWellFormed())];
  signal.throwIfAborted();
  if ('pending' in judged) {
    return { did: `Validation goes on: ${judged.pending}`, dueAtMs: judged.dueAtMs };
  }
  const verdict = verdictOf(judged);
  const candidate = made.ok ? made.commit : null;
  const attest = (one: Judged) => attestationOf(one, { dossier, candidate, ports });
  const awaited = awaitedBy(judged);
  if (awaited !== undefined)
    return {
      did: `Validation goes on: ${awaited.looked.map(({ reasons }) => reasons.slice(0, 2).join(' ')).join(' ')}`,
      attestations: awaited.looked.map(attest),
      dueAtMs: awaited.dueAtMs,
    };
  return { did: sentence(verdict, judged), attestations: judged.map(attest), to: NEXT[verdict] };
}

interface Run {
  readonly dossier: Dossier;
  readonly made: Candidate & { readonly ok: true };
  readonly ports: ValidatePorts;
  readonly signal: AbortSignal;
}

/** One that needs longer ends the round: what the others said is asked again with it. */
async function runModes({
  dossier,
  made,
  ports,
  signal,
}: Run): Promise<readonly Judged[] | ModePending> {
  const { modes = MODES } = ports;
  const { commit: candidate, files } = made;
  const change = { dossier, base: dossier.content.baseCommit, candidate, files };
  const judged = [diffJudged('passed', 'The diff applies exactly to its base.')];
  for (const mode of modes) {
    if (mode.applies?.(change, ports) === false) continue;
    if (mode.runsChange && judged.some(({ verdict }) => verdict === 'failed')) continue;
    const answer = await mode.judge(change, ports, signal);
    signal.throwIfAborted();
    if ('pending' in answer) return answer;
    judged.push({ ...answer, mode });
  }
  return judged;
}

function diffJudged(verdict: 'passed' | 'failed', reason: string): Judged {
  const mode = { name: DIFF_MODE, evidenceKinds: ['diff'], assumes: [], runsChange: false };
  return { mode, verdict, reasons: [reason], improvesTarget: null, found: {} };
}

/** Any failed mode fails it; only when all passed it passed. */
function verdictOf(judged: readonly Judged[]): VerdictOf<'validation'> {
  const verdicts = judged.map(({ verdict }) => verdict);
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.every((verdict) => verdict === 'passed') ? 'passed' : 'inconclusive';
}

/** Modes that looked and will know more later; undefined unless all that is inconclusive may be settled by that. */
function awaitedBy(
  judged: readonly Judged[],
): { readonly looked: readonly Judged[]; readonly dueAtMs: number } | undefined {
  const looked = judged.filter(({ verdict }) => verdict === 'inconclusive');
  const due = looked.flatMap(({ againAtMs }) => againAtMs ?? []);
  if (verdictOf(judged) !== 'inconclusive' || due.length < looked.length) return undefined;
  return { looked, dueAtMs: Math.max(...due) };
}

function attestationOf(
  judged: Judged,
  {
    dossier,
    candidate,
    ports,
  }: { dossier: Dossier; candidate: string | null; ports: ValidatePorts },
): StepAttestation<'validation'> {
  const { mode, verdict, improvesTarget, unjudged } = judged;
  return {
    kind: 'validation',
    mode: mode.name,
    verdict,
    evidenceKinds: [...mode.evidenceKinds],
    improvesTarget,
    ...(unjudged === undefined ? {} : { unjudged }),
    files: makeReports({
      ...{ dossier, candidate, judged, nowMs: ports.nowMs },
      choice: choiceFor({ dossier }, ports),
    }),
  };
}

/** Of one that passed, what was found out by running it; else what stood against it. */
function sentence(verdict: VerdictOf<'validation'>, judged: readonly Judged[]): string {
  const telling =
    verdict === 'passed'
      ? judged.filter(({ mode }) => mode.runsChange)
      : judged.filter((one) => one.verdict === verdict);
  const reasons = telling.map(({ mode, reasons: [reason] }) => `${mode.name}: ${reason}`);
  const word = verdict === 'inconclusive' ? 'is inconclusive' : verdict;
  const text = `Validation ${word}: ${reasons.join(' ')}`;
  return text.length > DID_MAX ? `${text.slice(0, DID_MAX).toWellFormed()}…` : text;
}
