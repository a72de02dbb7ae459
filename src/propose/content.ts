/** The text of a proposal: the generator's sentences, and around them what every change says. Pure. */
import { isoTime } from '../base/index.ts';
import {
  type Actor,
  type Change,
  type Pattern,
  type ProposalContent,
  type ProposalType,
  RISKS,
  type Risk,
} from '../facts/index.ts';
import { quotedName } from '../text/index.ts';
import { leastRisk, reachText } from './reach-text.ts';
import type { Draft } from './types.ts';
import { count, percent, shown, valueText } from './wording.ts';

export interface ContentInput {
  readonly pattern: Pattern;
  readonly draft: Draft;
  readonly type: ProposalType;
  readonly generator: string;
  /** How often changes of this kind helped against such failures; 0 where that is not known. */
  readonly successes: number;
  readonly diff: ProposalContent['diffDigest'];
  readonly baseCommit: string;
  readonly proposer: Actor;
}

export function contentOf(input: ContentInput): ProposalContent {
  const { pattern, draft, type, generator, diff, baseCommit, proposer } = input;
  const { kind: failure, layer } = pattern;
  return {
    title: shown(draft.title, 120),
    type,
    // A pattern is a failure.
    category: 'bugfix',
    severity: pattern.severity,
    risk: pattern.returned === undefined ? riskOf(draft) : 'high',
    diffDigest: diff,
    baseCommit,
    files: draft.edits.map(({ path }) => path),
    change: draft.change,
    reach: draft.reach,
    ...(draft.signs === undefined ? {} : { signs: draft.signs }),
    ...(draft.trial === undefined ? {} : { trial: draft.trial }),
    rationale: [rationaleOf(pattern, draft), ...trialWords(draft), ...knownWords(input)].join(' '),
    rootCause: rootCauseOf(pattern, draft),
    byClues: pattern.byClues ?? pattern.confidence,
    riskAndMitigation: riskTextOf(pattern, draft),
    rollback: rollbackOf(draft.change),
    validationPlan: planOf(pattern, draft.change),
    evidence: [...pattern.evidence],
    patternId: pattern.id,
    madeBy: { generator, failure, layer },
    proposer,
  };
}

function riskOf({ risk, reach }: Draft): Risk {
  const least = reach === null ? 'low' : leastRisk(reach);
  return RISKS.indexOf(risk) > RISKS.indexOf(least) ? risk : least;
}

const DID: Readonly<Record<Pattern['kind'], string>> = {
  timeout: 'timed out',
  rate_limit: 'ran into a rate limit',
  size_limit: 'exceeded a size limit',
  retries_exhausted: 'ran out of retries',
  other: 'failed',
  shift: 'changed',
};

export function placeOf({ agent, tool }: Pattern): string {
  return tool === '' ? quotedName(agent) : `${quotedName(tool)} by ${quotedName(agent)}`;
}

function rationaleOf(pattern: Pattern, { why }: Draft): string {
  const { occurrences, calls, sessions, firstAtMs, lastAtMs, kind, event } = pattern;
  const share = percent(calls === 0 ? 0 : occurrences / calls);
  const isOfSession = event === 'task_failure' || event === 'user_correction';
  const what = isOfSession ? 'sessions' : 'calls';
  const met = isOfSession ? '' : `in ${count(sessions)} sessions, `;
  return [
    `${count(occurrences)} of ${count(calls)} ${what} (${share}) of ${placeOf(pattern)} ${DID[kind]},`,
    `${met}between ${isoTime(firstAtMs)} and ${isoTime(lastAtMs)}. ${why}`,
  ].join(' ');
}

function trialWords({ trial }: Draft): string[] {
  if (trial === undefined) return [];
  return [
    'This is a trial: whether the calls that are cut off are long, or hang for ever, cannot be told without it.',
    'It shows how many of them end under the new limit.',
    'Hone takes it back by itself as soon as that is surely less than a tenth, or where it is less than a tenth after a day.',
  ];
}

function knownWords({ successes }: ContentInput): string[] {
  if (successes === 0) return [];
  return [
    `Changes of this kind were measured better ${successes} times against such failures here.`,
  ];
}

function rootCauseOf({ layer, confidence, reasons }: Pattern, { cause }: Draft): string {
  const because = reasons.map((reason) => shown(reason, 1000)).join(' ');
  return `${cause} (layer ${layer}, ${percent(confidence)} sure). ${because}`;
}

function riskTextOf(pattern: Pattern, { harm, change, reach, edits }: Draft): string {
  const files = edits.length === 1 ? 'one file' : `${edits.length} files`;
  const what = change.kind === 'set_value' ? `It is one value in ${files}` : `It changes ${files}`;
  const whom = reach === null ? '' : `, ${reachText(reach, pattern)}`;
  const again =
    pattern.returned === undefined
      ? ''
      : ` An earlier fix did not last (${pattern.returned.proposalId}), so this one may not either.`;
  return `${harm} ${what}${whom}.${again} After the deployment the failures are watched, and it is taken back when they grow.`;
}

export function rollbackOf(change: Change): string {
  const again =
    change.kind === 'set_value'
      ? `the value is ${valueText(change.from)} again`
      : 'the files are as they were';
  return `Run git revert with the commit that deploys it; ${again}. Hone reverts it by itself if the failures of this agent grow while it is watched.`;
}

export function planOf(pattern: Pattern, change: Change): string {
  const share = percent(pattern.calls === 0 ? 0 : pattern.occurrences / pattern.calls);
  const isValue = change.kind === 'set_value';
  const only = isValue ? 'only this value differs' : 'nothing else differs';
  const what = isValue ? valueText(change.to) : 'the change';
  return [
    `The patch applies to the base commit, ${shown(change.file)} is sound, and ${only}.`,
    `Sessions that were recorded are replayed with ${what} where the target can replay them.`,
    `After the deployment the failures of ${placeOf(pattern)} are compared with the present ${share}.`,
  ].join(' ');
}
