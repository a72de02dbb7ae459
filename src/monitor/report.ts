/** What a watch says: the file that backs it, and one plain sentence. */
import { z } from 'zod';
import { type Artifact, makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import type { RateMetric } from '../facts/index.ts';
import { type Dossier, rollbackCall } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { quotedName } from '../text/index.ts';
import type { Blame } from './answer.ts';
import type { Cause } from './cause.ts';
import type { PeoplesCommit } from './peoples-commits.ts';
import type { Count, Finding, Found, Judgement, Reading, Watch } from './types.ts';

const WORDS: Readonly<Record<RateMetric, { readonly all: string; readonly bad: string }>> = {
  error_rate: { all: 'calls', bad: 'failed' },
  task_failure_rate: { all: 'tasks', bad: 'failed' },
  correction_rate: { all: 'answers', bad: 'were corrected' },
};

interface Report {
  readonly judged: Judgement;
  readonly sentence: string | null;
  /** Whether it was shown to be the change's own fault; `none`: it brought nothing; null when nothing is worse. */
  readonly blame: Blame | 'none' | null;
}

export function reportFile(
  verdict: 'stable' | 'degraded' | 'inconclusive',
  { startedAtMs, untilMs, baselineDigest }: Watch,
  { judged, sentence, blame }: Report,
  nowMs: number,
): Artifact {
  const report: Json = {
    verdict,
    deployedAt: isoTime(startedAtMs),
    watchedUntil: isoTime(Math.min(nowMs, Math.max(untilMs, startedAtMs))),
    at: isoTime(nowMs),
    baselineDigest,
    sentence,
    blame,
    numbers: numberLines(judged.readings),
    series: judged.readings.map(readingJson),
  };
  return makeArtifact(canonicalJson(report), 'application/json');
}

const NUMBER_LINES_MAX = 6;

/** A line for each series that can be compared, those that got worse first: a person checks the verdict with it. */
function numberLines(readings: readonly Reading[]): string[] {
  const isWorse = ({ finding }: Reading) => finding !== undefined;
  const lasting = readings.filter(({ comparable }) => comparable);
  return [...lasting.filter(isWorse), ...lasting.filter((one) => !isWorse(one))]
    .slice(0, NUMBER_LINES_MAX)
    .map((reading) => {
      const { metric, baseline, observed, finding } = reading;
      const counts = `${metric}${ofAgent(reading)}: before ${countText(baseline)}, since ${countText(observed)}`;
      if (finding === undefined) return counts;
      const { expectedBad, increase, allowed, evidence, evidenceNeeded } = finding;
      return `${counts}; worst ${countText(finding.observed)}, expected ${expectedBad.toFixed(1)}, ${percent(increase)} more, ${percent(allowed)} allowed, evidence ${roundText(evidence)} of ${roundText(evidenceNeeded)} needed`;
    });
}

const roundText = (value: number) => (value < 1e6 ? value.toFixed(0) : value.toPrecision(2));
const countText = (count: Count) => `${count.bad} of ${count.all} (${share(count)})`;

function readingJson({
  metric,
  agent,
  tool,
  baseline,
  observed,
  comparable,
  finding,
}: Reading): Json {
  return {
    metric,
    agent,
    ...(tool === undefined ? {} : { tool }),
    comparable,
    baseline: { ...baseline },
    observed: { ...observed },
    finding: finding === undefined ? null : findingJson(finding),
  };
}

function findingJson(finding: Finding): Json {
  const { fromMs, foundAtMs, firstBadAtMs, observed, ...numbers } = finding;
  return {
    from: isoTime(fromMs),
    firstBad: isoTime(firstBadAtMs),
    found: isoTime(foundAtMs),
    observed: { ...observed },
    ...numbers,
  };
}

/** For a change to be rolled back: whether it was shown to be at fault, or is taken back for no harm. A person's word is enough. */
export async function blameOf(
  { proposal, attestations }: Dossier,
  store: Store,
): Promise<Blame | 'none'> {
  const call = rollbackCall(attestations, proposal.digest);
  const [digest] = call?.artifacts ?? [];
  if (call?.kind !== 'monitoring' || digest === undefined) return 'own';
  const { content } = await readArtifact(store, digest);
  const report = blameSchema.safeParse(parsed(Buffer.from(content).toString()));
  return report.success ? report.data.blame : 'own';
}

const blameSchema = z.object({ blame: z.enum(['doubt', 'none']) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DOUBT: Readonly<Record<Cause, string>> = {
  own: '',
  sharer:
    'It is an agent that shares a tool with this change and with another change, and nobody can tell which of them did it. This one is the newest that is still there, so it is taken back in doubt.',
  elsewhere: '',
  mix: '',
  unclear:
    'Other agents got worse as well. This change may not be the cause; it is taken back in doubt.',
  shared:
    'The other agents got worse in the same way, and it did not pass. This change may not be the cause; it is taken back in doubt.',
  fleet:
    'The harm is not in the agent that was changed. This change may not be the cause, but it is the newest; it is taken back in doubt.',
};

export function doubtSentence(cause: Cause): string {
  return DOUBT[cause];
}

export function heldSentence(cause: Cause): string {
  if (cause === 'elsewhere')
    return 'It is at tools that this change is not about, for agents that were not changed: that looks like somebody else’s trouble. This change is not judged until it passes.';
  return cause === 'shared'
    ? 'The other agents got worse in the same way at the same time: that looks like an outage, not like this change. This change is not judged until the outage passes.'
    : 'Another change was deployed later or was just taken back for it: this one is not judged until that is known.';
}

export const USUAL_SENTENCE =
  'It came and went as badly before the deployment. This change is not judged until it passes.';

export const REFUSED_SENTENCE =
  'The tool refuses calls, as it did before the deployment or because it has more to do than it had then. Since this change each call holds it for less, so more would be refused without it. This change is not judged until that passes.';

export function committedSentence({ id, title, atMs }: PeoplesCommit): string {
  return `It began right after somebody committed ${id.slice(0, 12)} (${quotedName(title, 60)}) at ${isoTime(atMs)} to files of the same agent: that is the likelier cause. Look at that commit.`;
}

export function degradedSentence(worst: Found): string {
  const { metric, finding } = worst;
  const { observed, expectedBad, increase, allowed, firstBadAtMs, pValue } = finding;
  const { all, bad } = WORDS[metric];
  const chance = pValue < 1e-6 ? 'less than one in a million' : `one in ${Math.floor(1 / pValue)}`;
  return (
    `Since ${isoTime(firstBadAtMs)} more ${all}${ofAgent(worst)} ${bad} than before the deployment: ` +
    `${observed.bad} of ${observed.all} (${share(observed)}), where ${expectedBad.toFixed(1)} were expected. ` +
    `That is ${percent(increase)} more; ${percent(allowed)} is allowed. By chance: ${chance}.`
  );
}

/** The series with the most events of those that matter most: the agent's, if one is known. */
export function mainReading(readings: readonly Reading[]): Reading | undefined {
  const wide = readings.filter(({ tool }) => tool === undefined);
  const known = wide.some(({ agent }) => agent !== null);
  const narrow = wide.filter(({ agent }) => (agent !== null) === known);
  return narrow.reduce<Reading | undefined>(
    (most, one) => (most === undefined || one.observed.all > most.observed.all ? one : most),
    undefined,
  );
}

export function countsSentence(reading: Reading): string {
  const { all, bad } = WORDS[reading.metric];
  const { observed, baseline } = reading;
  const before = baseline.all === 0 ? 'nothing to compare with' : `before ${share(baseline)}`;
  return `${observed.bad} of ${observed.all} ${all}${ofAgent(reading)} ${bad} (${share(observed)}, ${before})`;
}

/** Agents' names come from telemetry. */
function ofAgent({ agent, tool }: Reading): string {
  if (agent === null) return '';
  return tool === undefined
    ? ` of ${plainName(agent)}`
    : ` of ${plainName(tool)} by ${plainName(agent)}`;
}

/** Names come from telemetry. */
export function plainName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, 100)
    .toWellFormed();
}

const share = ({ bad, all }: Count) => percent(all === 0 ? 0 : bad / all);
export const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
