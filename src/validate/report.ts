/** What a mode of validation leaves behind: everything as JSON, and the short of it for a person. */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import { CONSTITUTION } from '../policy/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { Choice } from './choice.ts';
import type { Judged } from './types.ts';

export interface ReportInput {
  readonly dossier: Dossier;
  readonly candidate: string | null;
  readonly judged: Judged;
  /** By what a change of its kind is to be proven, and is. */
  readonly choice: Choice;
  readonly nowMs: number;
}

export function makeReports(input: ReportInput): readonly Artifact[] {
  const { dossier, candidate, judged, choice, nowMs } = input;
  const { mode, verdict, reasons, improvesTarget, unjudged = null, found } = judged;
  const report: Json = {
    report: 'validation',
    mode: mode.name,
    evidenceKinds: mode.evidenceKinds,
    assumes: mode.assumes,
    constitution: CONSTITUTION.version,
    at: isoTime(nowMs),
    contentDigest: dossier.proposal.digest,
    diffDigest: dossier.content.diffDigest,
    baseCommit: dossier.content.baseCommit,
    candidateCommit: candidate,
    verdict,
    reasons,
    found,
    improvesTarget,
    unjudged,
    ...(mode.runsChange ? { choice } : {}),
  };
  return [
    makeArtifact(canonicalJson(report), 'application/json'),
    makeArtifact(textOf(judged, choice), 'text/plain; charset=utf-8'),
  ];
}

function textOf({ mode, verdict, reasons, unjudged }: Judged, choice: Choice): string {
  const assumed = mode.assumes.map((sentence) => `  - It assumes: ${sentence}`);
  const lines = reasons.map((reason) => `  - ${reason}`);
  const word = unjudged === undefined ? verdict : `${verdict}, because it could not judge`;
  const chosen = mode.runsChange ? [`  - Why this mode: ${choice.why}`] : [];
  return [`${mode.name}: ${word}`, ...lines, ...chosen, ...assumed, ''].join('\n');
}
