/** What a look at everything found, in one sentence with its numbers, and as the file that backs it. */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime } from '../base/index.ts';
import { quotedName } from '../text/index.ts';
import type { Blame } from './answer.ts';
import type { LateFinding } from './late-harm.ts';
import type { Measure, Series } from './measures.ts';
import type { PeoplesCommit } from './peoples-commits.ts';
import { percent, plainName } from './report.ts';
import type { Place } from './rings.ts';
import type { AtTarget, Harmed } from './wide-look.ts';
import { suspicionOf } from './wide-look.ts';

const DAY_MS = 86_400_000;

/** As a person calls them. */
const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  failures: 'failures',
  tasks: 'failed tasks',
  corrections: 'corrections',
  latency: 'slow hours',
  cost: 'costly hours',
  tokens: 'hours with more tokens',
  more_calls: 'hours with more calls',
  fewer_calls: 'hours with fewer calls',
  silence: 'silent hours',
};

type Deployed = { readonly proposalId: string; readonly fromMs: number };

export function harmSentence(
  { finding, suspicions, load, overlaps, commit }: Harmed,
  { proposalId, fromMs }: Deployed,
): string {
  const { onsetMs } = finding;
  const days = ((onsetMs - fromMs) / DAY_MS).toFixed(1);
  const counts = `Since ${isoTime(onsetMs)} ${seenWords(finding)}`;
  const probability = suspicionOf(suspicions, proposalId);
  const when =
    onsetMs < fromMs ? 'It began before this change.' : `It began ${days} days after this change.`;
  const shared =
    overlaps === true
      ? ' It is so while calls of what was changed are in flight, so both use the same places.'
      : '';
  return `${counts} ${when}${shared}${loadWords(load)} The change is the cause with a probability of ${percent(probability)}.${commitWords(commit)}`;
}

function commitWords(commit: PeoplesCommit | undefined): string {
  if (commit === undefined) return '';
  const { id, title, atMs } = commit;
  return ` Likelier is what somebody committed there at ${isoTime(atMs)}: ${id.slice(0, 12)} (${quotedName(title, 60)}).`;
}

/** What was counted of each measure, and what it says when it is too many. */
const MEASURE_WORDS: Readonly<Record<Measure, { readonly all: string; readonly bad: string }>> = {
  failures: { all: 'calls', bad: 'failed' },
  tasks: { all: 'sessions', bad: 'had a task that failed' },
  corrections: { all: 'sessions', bad: 'had an answer corrected' },
  latency: { all: 'hours of calls', bad: 'took longer than nine of ten hours before' },
  cost: { all: 'hours of calls', bad: 'cost more for each call than nine of ten hours before' },
  tokens: {
    all: 'hours of calls',
    bad: 'took more tokens for each call than nine of ten hours before',
  },
  more_calls: {
    all: 'hours',
    bad: 'had more calls for each session than nine of ten hours before',
  },
  fewer_calls: {
    all: 'hours',
    bad: 'had fewer calls for each session than nine of ten hours before',
  },
  silence: { all: 'hours', bad: 'had no call, while others were heard' },
};

/** What a series counts, and what it says of those that are bad. */
export function seriesWords({ measure, task }: Pick<Series, 'measure' | 'task'>) {
  if (task === undefined) return MEASURE_WORDS[measure];
  return { all: 'sessions', bad: `had the task ${plainName(task)} fail` };
}

function seenWords({ series, observed, expectedBad }: LateFinding): string {
  const { all, bad } = seriesWords(series);
  return `${observed.bad} of ${observed.all} ${all} of ${placeWords(series)} ${bad} (${percent(observed.bad / observed.all)}), where ${expectedBad.toFixed(1)} were expected.`;
}

function nameOf({ measure, task }: Series): string {
  return task === undefined ? MEASURE_NAMES[measure] : `failures of the task ${plainName(task)}`;
}

/** An agent's sessions are at no tool. */
function placeWords({ agent, tool }: Place): string {
  return tool === '' ? plainName(agent) : `${plainName(tool)} by ${plainName(agent)}`;
}

function loadWords(load: Harmed['load']): string {
  if (load === undefined) return '';
  if (load.outside < 0.5) return ' The tool has no more to do than before.';
  const footprint =
    load.footprint > 1.05
      ? `, and the change made each call's load ${load.footprint.toFixed(1)} times what it was`
      : '';
  const butFor =
    load.butFor === null
      ? ''
      : ` At the load without the change ${percent(load.butFor.low)} or more of it would not be there.`;
  return ` The tool has more to do than in any hour before${footprint}.${butFor}`;
}

/** For one of several changes that may have done it. */
export const NOT_TOLD_APART =
  'Another change may have done it as well, and nobody can tell which. This one is the newest, so it is taken back in doubt.';

/** For a rollback that is asked for because it would show what the numbers do not. */
export const AS_EXPERIMENT =
  'That is not certain. Taking it back is an experiment: if the failures go on without it, it was something else, and the change may come back.';

/** Which change did it, for whoever is not asked about one. */
export function suspectSentence(harmed: Harmed, change: AtTarget): string {
  const { proposalId, startedAtMs } = change;
  return harmSentence(harmed, { proposalId, fromMs: startedAtMs });
}

/** As a report of the close watch, so that the rollback shows its numbers everywhere. */
export function lateReport(
  harmed: Harmed,
  deployed: Deployed & { readonly blame?: Blame },
  nowMs: number,
): Artifact {
  const { finding, suspicions } = harmed;
  const { series, observed, expectedBad, increase, evidence, evidenceNeeded, norm } = finding;
  const before = `${norm.bad} of ${norm.all} (${percent(norm.bad / Math.max(1, norm.all))})`;
  const since = `${observed.bad} of ${observed.all} (${percent(observed.bad / observed.all)})`;
  const report = {
    verdict: 'degraded',
    deployedAt: isoTime(deployed.fromMs),
    at: isoTime(nowMs),
    sentence: harmSentence(harmed, deployed),
    blame: deployed.blame ?? 'own',
    numbers: [
      `${nameOf(series)} of ${placeWords(series)}: before ${before}, since ${isoTime(finding.onsetMs)} ${since}; expected ${expectedBad.toFixed(1)}, ${percent(increase)} more, evidence ${evidence.toPrecision(3)} of ${evidenceNeeded.toPrecision(3)} needed`,
      ...suspicions.map((one) => `probability of ${one.proposalId}: ${percent(one.probability)}`),
    ],
  };
  return makeArtifact(canonicalJson(report), 'application/json');
}
