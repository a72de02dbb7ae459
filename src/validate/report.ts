/** What a mode of validation leaves behind: everything as JSON, and the short of it for a person. */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import { CONSTITUTION } from '../policy/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { PartResult } from './types.ts';

export interface ReportInput {
  readonly dossier: Dossier;
  readonly candidate: string | null;
  readonly part: PartResult;
  readonly improvesTarget: boolean | null;
  readonly nowMs: number;
}

export function makeReports(input: ReportInput): readonly Artifact[] {
  const { dossier, candidate, improvesTarget, nowMs } = input;
  const { part: mode, outcome: verdict, reasons, ...found } = input.part;
  const report: Json = {
    report: 'validation',
    mode,
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
  };
  return [
    makeArtifact(canonicalJson(report), 'application/json'),
    makeArtifact(textOf(input), 'text/plain; charset=utf-8'),
  ];
}

function textOf({ part: { part, outcome, reasons } }: ReportInput): string {
  return [`${part}: ${outcome}`, ...reasons.map((reason) => `  - ${reason}`), ''].join('\n');
}
