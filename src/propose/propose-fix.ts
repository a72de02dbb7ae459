/**
 * From a pattern to proposals: every generator is asked, and what they draft becomes diffs on top of the target's head
 * that are proven to apply, the best first. What cannot be proposed is declined in a plain sentence. Nothing is written to
 * the target.
 */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { isoTime } from '../base/index.ts';
import {
  changeKey,
  changePlace,
  fixWay,
  isAsLarge,
  type Pattern,
  type SettingSubject,
  type Subject,
  samePlace,
  stepOf,
} from '../facts/index.ts';
import { type FileChange, GitError } from '../git/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { contentOf } from './content.ts';
import { GENERATORS } from './generators.ts';
import { scoreProposal } from './score-proposal.ts';
import { targetFiles } from './target-files.ts';
import type { Answer, Declined, Draft, Generator, Proposed, ProposePorts } from './types.ts';
import { count, percent, shown } from './wording.ts';

/** More drafts of one generator would only be passed over. */
const DRAFTS_MAX = 10;

export async function proposeFix(
  pattern: Pattern,
  ports: ProposePorts,
  generators: readonly Generator[] = GENERATORS,
): Promise<Answer> {
  const doubt = doubtOf(pattern, ports) ?? unfounded(pattern);
  if (doubt !== undefined) return { declined: doubt };
  const files = targetFiles(ports.repository, ports.head);
  const proposed: (Proposed & { readonly isUndo: boolean })[] = [];
  const declined: string[] = [];
  // Of those that explain it equally well, the first comes first: the sort below keeps their order.
  const { alternatives = [], trial, ...rest } = pattern;
  const isSure = pattern.confidence >= ports.minConfidence;
  const first = isSure || trial === undefined ? rest : { ...rest, trial };
  const subjects = [first.subject, ...alternatives];
  const settings = subjects.filter((one) => one.kind === 'setting');
  const waiting = new Map<Subject, string>(
    settings.flatMap((one) => {
      const why = whyItWaits(one, settings, ports);
      return why === undefined ? [] : [[one, why]];
    }),
  );
  declined.push(...waiting.values());
  const each = subjects
    .filter((one) => !waiting.has(one))
    .map((subject) => ({ ...first, subject }));
  for (const one of each) {
    for (const generator of generators) {
      const answer = await generator.propose(one, files);
      if ('declined' in answer) declined.push(answer.declined);
      for (const draft of 'drafts' in answer ? answer.drafts.slice(0, DRAFTS_MAX) : []) {
        const made = await proposalOf(one, generator, draft, ports);
        if ('declined' in made) declined.push(made.declined);
        else proposed.push({ ...made, isUndo: draft.isUndo === true });
      }
    }
  }
  // What was well before the commit is known of this very failure; what else helps was measured elsewhere, or is computed.
  const [best, ...others] = proposed
    .sort(
      (a, b) =>
        Number(b.isUndo) - Number(a.isUndo) ||
        Number(b.isKnown) - Number(a.isKnown) ||
        b.score - a.score,
    )
    .map(({ isUndo: _, ...one }) => one);
  if (best !== undefined) return { proposed: [best, ...others] };
  if (declined.length > 0) return { declined: [...new Set(declined)].join(' ') };
  return { declined: `No generator knows how to fix a failure of the kind ${pattern.kind} yet.` };
}

/** A change of this value that is not made again. */
function closedAt(subject: SettingSubject, { closedChanges }: Pick<ProposePorts, 'closedChanges'>) {
  const place = recordedText(placeOf(subject));
  return closedChanges.find(({ change }) => change.startsWith(`${place} `));
}

/**
 * Copies of a value are tried in turn, and a turn is over when it is known what the change did: one that was taken back for harm, or
 * perhaps for it, is rather the one that is read, and one that is open or watched is not known yet.
 */
function whyItWaits(
  subject: SettingSubject,
  settings: readonly SettingSubject[],
  { closedChanges, openChanges }: ProposePorts,
): string | undefined {
  const others = settings.filter((one) => isCopy(subject, one));
  const taken = closedChanges.filter(({ isRead }) => isRead === true);
  const isTakenBack = others.some((one) => closedAt(one, { closedChanges: taken }) !== undefined);
  const places = others.map(placeOf);
  const isOpen = openChanges.some((open) => places.includes(changePlace(open)));
  if (!isTakenBack && !isOpen) return undefined;
  const copy = `${shown(placeOf(subject), 200)} is a copy`;
  return isTakenBack
    ? `${copy}: a change of the same value elsewhere was taken back for harm, so that one is likely read.`
    : `${copy}: a change of the same value elsewhere is already open or watched.`;
}

/** The same value under the same keys of another file. */
function isCopy(one: SettingSubject, other: SettingSubject): boolean {
  const isThere = one.file !== other.file && one.value === other.value;
  return isThere && one.path.join('\n') === other.path.join('\n');
}

const placeOf = ({ file, path, value }: SettingSubject) =>
  changePlace({ kind: 'set_value', file, path: [...path], from: value, to: value });

const REASONS_TOLD = 3;

function doubtOf(
  { subject, layer, confidence, whyNow, considered, trial }: Pattern,
  ports: Pick<ProposePorts, 'minConfidence' | 'closedChanges'>,
): string | undefined {
  const { minConfidence } = ports;
  // Whoever is told has to know why, and what to do.
  const why = (considered?.[0]?.for ?? [])
    .slice(0, REASONS_TOLD)
    .map((one) => ` ${shown(one, 400)}`);
  const wait = whyNow?.wait ?? null;
  if (wait !== null) return `${wait}${why.join('')}`;
  const sure = `${percent(confidence)} sure`;
  if (!('file' in subject) || subject.file === null)
    return `Nothing was found in the target's files that causes it; it seems to begin in the ${layer} layer (${sure}).${why.join('')}`;
  if (Math.max(confidence, trial?.ifLong ?? 0) >= minConfidence) return undefined;
  // What was tried already is what a person wants to know, however sure the cause is now.
  const tried = subject.kind === 'setting' ? closedAt(subject, ports) : undefined;
  return [
    `The cause is ${sure}; ${percent(minConfidence)} is needed.`,
    ...(tried === undefined ? [] : [`${tried.why} (${tried.change})`]),
  ].join(' ');
}

/** PROP-4. */
const IN_DAY_MIN = 3;
const SESSIONS_MIN = 3;
/** Of the ten parts of a window that `noise` counts, met in three: it is no burst. */
const NOISE_MAX = 10 / 3;

/**
 * A change needs three failures in a day, a critical failure, or one that is clearly systemic: in several sessions, and
 * spread over the window. What comes once in a while is left to people.
 */
function unfounded(pattern: Pattern): string | undefined {
  const { occurrences, mostInDay = occurrences, severity, sessions, noise } = pattern;
  if (mostInDay >= IN_DAY_MIN || severity === 'critical') return undefined;
  if (occurrences >= IN_DAY_MIN && sessions >= SESSIONS_MIN && noise <= NOISE_MAX) return undefined;
  return `It failed at most ${count(mostInDay)} times in 24 hours, is not critical, and is not spread over enough sessions and days to be systemic; a change needs one of these.`;
}

async function proposalOf(
  pattern: Pattern,
  generator: Generator,
  draft: Draft,
  ports: ProposePorts,
): Promise<Proposed | Declined> {
  const key = recordedText(changeKey(draft.change));
  const refusal = refusalOf(pattern, draft, key, ports);
  if (refusal !== undefined) return { declined: refusal };
  const diff = await makeDiff(draft.edits, ports);
  if ('declined' in diff) return diff;
  const { kind: failure, layer } = pattern;
  const way = fixWay({ generator: generator.name, failure, layer }, stepOf(draft.change));
  const successes = ports.knownFixes.get(way) ?? 0;
  const content = contentOf({
    pattern,
    draft,
    type: draft.type ?? generator.type,
    generator: generator.name,
    successes,
    diff: diff.digest,
    baseCommit: ports.head,
    proposer: ports.proposer,
  });
  const score = scoreProposal({
    impact: pattern.impact,
    confidence: pattern.confidence,
    risk: content.risk,
    complexity: draft.edits.length,
    proven: successes > 0,
  });
  return { content, diff, score, isKnown: successes > 0 || ports.helpedAlike.has(way) };
}

function refusalOf(
  { occurrences, gathered = occurrences, firstAtMs }: Pattern,
  { change, failuresNeeded, trial }: Draft,
  key: string,
  { closedChanges, openChanges, restored }: ProposePorts,
): string | undefined {
  const closed = closedChanges.find(
    (one) =>
      one.change === key &&
      isAsLarge(change, one.step) &&
      (one.isTrial !== true || trial !== undefined),
  );
  if (closed !== undefined) return `${closed.why} (${key})`;
  const open = openChanges.find((one) => samePlace(one, change));
  if (open !== undefined)
    return `A change of the same value is already open or watched: ${recordedText(changeKey(open))}.`;
  const place = recordedText(changePlace(change));
  const since = restored.find((one) => one.change.startsWith(`${place} `));
  if (since !== undefined && firstAtMs < since.atMs)
    return `This value was put back on ${isoTime(since.atMs).slice(0, 10)} (${since.proposalId}), and these failures are in part from before. It is changed on what is seen since then.`;
  if (gathered >= failuresNeeded) return undefined;
  return `A change of this size needs ${count(failuresNeeded)} failures; there are ${count(gathered)}.`;
}

async function makeDiff(
  edits: readonly FileChange[],
  { repository, head }: ProposePorts,
): Promise<Artifact | Declined> {
  try {
    const drafted = await repository.draft(head, edits);
    if (!drafted.ok)
      return { declined: `The change cannot be written as a diff: ${shown(drafted.why)}.` };
    if (drafted.diff === '') return { declined: 'The change leaves every file as it is.' };
    return makeArtifact(drafted.diff, 'text/x-diff');
  } catch (error) {
    // A name that git would not write; anything else is a fault.
    const expected = ['bad_path', 'bad_change', 'too_large'];
    if (!(error instanceof GitError) || !expected.includes(error.code)) throw error;
    return { declined: `The file cannot be changed: ${shown(error.message)}` };
  }
}
