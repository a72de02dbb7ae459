/**
 * Validation: the steps of a proposal in `vetted` and `validating`. Its parts run in order, the cheap
 * and safe ones first; a change that breaks a policy is never run.
 */
import assert from 'node:assert/strict';
import type { ProposalState, VerdictOf } from '../facts/index.ts';
import type { Dossier, ProposalStep, StepAttestation } from '../proposal/index.ts';
import { makeCandidate } from './candidate.ts';
import { judgingTouch } from './judging.ts';
import { testPolicies } from './policy-tests.ts';
import { shadowReplay } from './replay.ts';
import { makeReports, type ReportInput } from './report.ts';
import { checkSyntax } from './syntax.ts';
import type { PartName, PartResult, ValidatePorts } from './types.ts';

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
  const { proposal } = dossier;
  assert(proposal.state === 'validating', `a ${proposal.state} proposal is not validated`);
  const found = await runParts(dossier, ports, signal);
  signal.throwIfAborted();
  const verdict = verdictOf(found.parts);
  const { candidate } = found;
  const about = { dossier, candidate, nowMs: ports.nowMs };
  return {
    did: sentence(verdict, found.parts),
    attestations: found.parts.flatMap((part) => attestationOf(part, found, about)),
    to: NEXT[verdict],
  };
}

const EVIDENCE: Readonly<Record<PartName, readonly string[]>> = {
  diff: ['diff'],
  policy: ['files'],
  syntax: ['files'],
  replay: ['recorded_sessions'],
};

/** Each part says its own; one that was not run says nothing. */
function attestationOf(
  part: PartResult,
  found: Found,
  about: Omit<ReportInput, 'part' | 'improvesTarget'>,
): StepAttestation<'validation'>[] {
  const { part: mode, outcome: verdict } = part;
  if (verdict === 'not_run') return [];
  const improvesTarget = mode === 'replay' ? found.improvesTarget : null;
  const files = makeReports({ ...about, part, improvesTarget });
  const evidenceKinds = [...EVIDENCE[mode]];
  return [{ kind: 'validation', mode, verdict, evidenceKinds, improvesTarget, files }];
}

interface Found {
  readonly parts: readonly PartResult[];
  readonly candidate: string | null;
  readonly improvesTarget: boolean | null;
}

async function runParts(
  dossier: Dossier,
  ports: ValidatePorts,
  signal: AbortSignal,
): Promise<Found> {
  const { content } = dossier;
  const { settings, clock, replay } = ports;
  const made = await makeCandidate(content, ports);
  if (!made.ok) {
    const diff: PartResult = {
      part: 'diff',
      outcome: 'failed',
      reasons: [`The diff: ${made.why}.`.toWellFormed()],
    };
    const parts = [diff, ...notRun('policy', 'syntax', 'replay')];
    return { parts, candidate: null, improvesTarget: null };
  }
  const { commit: candidate, files } = made;
  const checked: PartResult[] = [
    { part: 'diff', outcome: 'passed', reasons: ['The diff applies exactly to its base.'] },
    testPolicies(files, settings.forbiddenPaths),
    checkSyntax(files),
  ];
  if (checked.some(({ outcome }) => outcome === 'failed'))
    return { parts: [...checked, ...notRun('replay')], candidate, improvesTarget: null };
  const played = await shadowReplay({
    base: content.baseCommit,
    candidate,
    judging: await judgingTouch(files, {
      base: content.baseCommit,
      repository: ports.repository,
      commands: replay?.commands ?? [],
      agentFiles: ports.agentFiles,
    }),
    sessions: replay === undefined ? [] : await ports.sessions(dossier),
    replay,
    settings,
    clock,
    signal,
  });
  return { parts: [...checked, played], candidate, improvesTarget: played.improvesTarget };
}

function notRun(...parts: readonly PartName[]): PartResult[] {
  const reasons = ['Something before it failed.'];
  return parts.map((part) => ({ part, outcome: 'not_run', reasons }));
}

/** Any failed part fails it; only when all passed it passed. */
function verdictOf(parts: readonly PartResult[]): VerdictOf<'validation'> {
  const outcomes = parts.map(({ outcome }) => outcome);
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.every((outcome) => outcome === 'passed') ? 'passed' : 'inconclusive';
}

function sentence(verdict: VerdictOf<'validation'>, parts: readonly PartResult[]): string {
  const telling =
    verdict === 'passed'
      ? parts.filter(({ part }) => part === 'replay')
      : parts.filter(({ outcome }) => outcome === verdict);
  const reasons = telling.map(({ part, reasons: [reason] }) => `${part}: ${reason}`);
  const word = verdict === 'inconclusive' ? 'is inconclusive' : verdict;
  const text = `Validation ${word}: ${reasons.join(' ')}`;
  return text.length > DID_MAX ? `${text.slice(0, DID_MAX).toWellFormed()}…` : text;
}
