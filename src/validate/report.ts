/** What a validation leaves behind: everything as JSON, and the short of it for a person. */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import type { VerdictOf } from '../facts/index.ts';
import { CONSTITUTION } from '../policy/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { PartResult } from './types.ts';

export interface ReportInput {
  readonly dossier: Dossier;
  readonly verdict: VerdictOf<'validation'>;
  readonly improvesTarget: boolean | null;
  readonly candidate: string | null;
  readonly parts: readonly PartResult[];
  readonly nowMs: number;
}

export function makeReports(input: ReportInput): readonly Artifact[] {
  const { dossier, verdict, improvesTarget, candidate, parts, nowMs } = input;
  const report: Json = {
    report: 'validation',
    constitution: CONSTITUTION.version,
    at: isoTime(nowMs),
    digest: dossier.proposal.digest,
    diff: dossier.content.diff,
    base: dossier.content.baseCommit,
    candidate,
    verdict,
    improvesTarget,
    parts,
  };
  return [
    makeArtifact(canonicalJson(report), 'application/json'),
    makeArtifact(textOf(input), 'text/plain; charset=utf-8'),
  ];
}

const OUTCOME_WORDS: Readonly<Record<PartResult['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  not_run: 'not run',
};

function textOf({ dossier, verdict, improvesTarget, candidate, parts }: ReportInput): string {
  const helps = improvesTarget === null ? 'not measured' : improvesTarget ? 'yes' : 'not shown';
  return [
    `Validation: ${verdict}. Does it help? ${helps}.`,
    `Base ${dossier.content.baseCommit}, candidate ${candidate ?? 'none'}.`,
    '',
    ...parts.flatMap(({ part, outcome, reasons }) => [
      `${part}: ${OUTCOME_WORDS[outcome]}`,
      ...reasons.map((reason) => `  - ${reason}`),
    ]),
    '',
  ].join('\n');
}
