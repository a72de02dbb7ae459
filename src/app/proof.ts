/** What validation found out about a proposal: its sentences for people, and the figures behind them. */
import { readArtifact } from '../artifact/index.ts';
import type { Json } from '../base/index.ts';
import type { ModeFigures } from '../contracts/proposal.ts';
import { type Attestation, statementText } from '../facts/index.ts';
import { TIER_SETTINGS } from '../loop/index.ts';
import { type Dossier, latestByMode, type Validation, validationOf } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { figuresOf } from '../validate/index.ts';

export function validationNow({ proposal, attestations }: Dossier): Validation {
  return validationOf(attestations, proposal.digest, TIER_SETTINGS.requiredModes);
}

/** The newest verdict of each mode on what is proposed now, in the order in which they ran. */
function verdictsNow({ proposal, attestations }: Dossier) {
  const newest = new Set<Attestation>(latestByMode(attestations, proposal.digest).values());
  return attestations.filter((one) => one.kind === 'validation').filter((one) => newest.has(one));
}

/** What modes measured, from their reports; a mode that only read the change has no figures. */
export async function proofFigures(dossier: Dossier, store: Store): Promise<ModeFigures[]> {
  const figures: ModeFigures[] = [];
  for (const one of verdictsNow(dossier)) {
    const found = await reportFigures(one, store);
    if (found === undefined) continue;
    const { pairs, rails, runs } = found;
    if (pairs === null && rails.length === 0 && runs.candidate.length === 0) continue;
    figures.push({ mode: one.mode, verdict: one.verdict, ...found });
  }
  return figures;
}

async function reportFigures(one: Attestation, store: Store) {
  for (const digest of one.artifacts) {
    const { mediaType, content } = await readArtifact(store, digest);
    if (mediaType !== 'application/json') continue;
    const figures = figuresOf(JSON.parse(Buffer.from(content).toString()) as Json);
    if (figures !== undefined) return figures;
  }
  return undefined;
}

/** What the modes of validation wrote for people, in the order in which they ran. */
export async function proofLines(dossier: Dossier, store: Store): Promise<string[]> {
  const ran = verdictsNow(dossier);
  if (ran.length === 0) return ['not validated yet'];
  const { verdict, improvesTarget, missingModes } = validationNow(dossier);
  const lines = [`Validation: ${verdict ?? 'not complete'}. Does it help? ${helpsWords()}.`];
  for (const one of ran) lines.push(...(await modeLines(one, store)));
  return [...lines, ...missingModes.map((mode) => `${mode}: not run`)];

  function helpsWords(): string {
    if (improvesTarget) return 'yes';
    return ran.some(({ improvesTarget: helps }) => helps !== null) ? 'not shown' : 'not measured';
  }
}

const MODE_LINES_MAX = 40;

async function modeLines(one: Attestation, store: Store): Promise<string[]> {
  for (const digest of one.artifacts) {
    const artifact = await readArtifact(store, digest);
    if (!artifact.mediaType.startsWith('text/plain')) continue;
    const lines = Buffer.from(artifact.content).toString().trimEnd().split('\n');
    return lines.slice(0, MODE_LINES_MAX);
  }
  return [statementText(one)];
}
