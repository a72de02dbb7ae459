/**
 * A change that a person or an agent submits as a unified diff. It becomes a draft on the target's head, in one commit
 * with its record, and goes the way of every proposal from there: vetting, validation, a person's decision. What can be
 * known to be wrong is refused before anything is stored: secrets, files that judge changes, too much, a change that is
 * open or closed, an agent's limit.
 */
import { makeArtifact } from '../artifact/index.ts';
import { readPattern } from '../diagnose/index.ts';
import { type Actor, type Pattern, type ProposalContent, samePlace } from '../facts/index.ts';
import { shownPath } from '../git/index.ts';
import { triedChanges, whyClosed } from '../learn/index.ts';
import { judgingFile } from '../policy/index.ts';
import { type Dossier, listProposals, OPEN_STATES, readDossier } from '../proposal/index.ts';
import { submittedContent } from '../propose/index.ts';
import { mask, recordedText } from '../sanitise/index.ts';
import type { Plan } from '../store/index.ts';
import { planSubmit } from '../vet/index.ts';
import { headOf } from './adapters/target.ts';
import { planProposal } from './cycle-propose.ts';
import { judgeOpen, judgePause } from './gates.ts';
import { applyGiven, changedLines, changeOf, type GivenDiff, secretIn } from './given-diff.ts';
import { type Moment, Moments } from './moment.ts';
import { NOTHING_HELD, oneMeta } from './one-meta.ts';
import type { LoopPorts } from './types.ts';

export interface ChangeSubmission {
  readonly diff: string;
  readonly title: string;
  readonly rationale: string;
  readonly category: ProposalContent['category'];
  /** The pattern that it answers. */
  readonly pattern: string | undefined;
  /** Ids of events. */
  readonly evidence: readonly string[];
}

export type Submitted =
  | { readonly done: true; readonly id: string; readonly did: string }
  | { readonly done: false; readonly why: string };

const OPEN_MAX = 1000;
/** Others who submit at the same moment, or a switch that is turned. */
const TRIES_MAX = 5;

export async function submitChange(
  given: ChangeSubmission,
  options: { readonly actor: Actor; readonly ports: LoopPorts },
): Promise<Submitted> {
  const { ports, actor } = options;
  const { store, killSwitch } = ports;
  if (killSwitch.held !== undefined) return no(`Nothing is proposed now. ${killSwitch.held}`);
  const secret = secretIn(given.diff) ?? secretInText(given);
  if (secret !== undefined) return no(secret);
  const pattern = given.pattern === undefined ? undefined : await readPattern(store, given.pattern);
  const groundless = groundsMissing(given, pattern, actor);
  if (groundless !== undefined) return no(groundless);
  const baseCommit = await headOf(ports);
  const applied = await applyGiven({ ...given, baseCommit }, ports);
  if ('why' in applied) return no(applied.why);
  const unfit = unfitFiles(applied, actor, ports);
  if (unfit !== undefined) return no(unfit);
  const content = await contentOf(given, { applied, baseCommit, pattern, options });
  return commitSubmission({ content, applied, pattern }, options);
}

const no = (why: string): Submitted => ({ done: false, why });

function secretInText({ title, rationale }: ChangeSubmission): string | undefined {
  if (mask(`${title}\n${rationale}`).count === 0) return undefined;
  return 'The title or the rationale holds what looks like a secret or personal data. Take it out.';
}

/** What vetting would refuse for certain (rule 5) is said at once. */
function groundsMissing(
  given: ChangeSubmission,
  pattern: Pattern | undefined,
  { kind }: Actor,
): string | undefined {
  if (given.pattern !== undefined && pattern === undefined)
    return `There is no pattern ${recordedText(given.pattern, { lengthMax: 100 })}. "hone patterns list" shows them.`;
  if (pattern === undefined && kind !== 'human')
    return 'Name the pattern that it answers: only a person may propose without one.';
  if (pattern === undefined && given.evidence.length === 0)
    return 'Name the pattern that it answers, or the events that show what is wrong: claims need evidence.';
  return undefined;
}

function unfitFiles({ files }: GivenDiff, actor: Actor, { config }: LoopPorts): string | undefined {
  const { filesMax, changedLinesMax } = config.vet;
  const lines = files.reduce((sum, file) => sum + changedLines(file), 0);
  if (files.length > filesMax)
    return `It touches ${files.length} files; at most ${filesMax} are allowed (vet.filesMax).`;
  if (lines > changedLinesMax)
    return `It changes ${lines} lines; at most ${changedLinesMax} are allowed (vet.changedLinesMax).`;
  const judging = files.find(({ path }) => judges(path, config));
  if (judging === undefined || actor.kind === 'human') return undefined;
  return `It touches ${shownPath(judging.path)}, which judges changes: only a person may propose that.`;
}

function judges(path: string, { target }: LoopPorts['config']): boolean {
  return judgingFile(path, target.agentFiles)?.isSure === true;
}

interface Found {
  readonly applied: GivenDiff;
  readonly baseCommit: string;
  readonly pattern: Pattern | undefined;
  readonly options: { readonly actor: Actor; readonly ports: LoopPorts };
}

async function contentOf(
  { title, rationale, category, evidence }: ChangeSubmission,
  { applied, baseCommit, pattern, options }: Found,
): Promise<ProposalContent> {
  const { files } = applied;
  return submittedContent({
    ...{ title: recordedText(title), rationale: recordedText(rationale, { lengthMax: 4000 }) },
    ...{ category, baseCommit, pattern, proposer: options.actor },
    diffDigest: makeArtifact(applied.diff, 'text/x-diff').digest,
    files: files.map(({ path }) => path),
    change: await changeOf(baseCommit, applied, options.ports),
    isMeta: files.every(({ path }) => judges(path, options.ports.config)),
    evidence: evidence.map((id) => (id.startsWith('event:') ? id : `event:${id}`)),
  });
}

async function commitSubmission(
  made: { content: ProposalContent; applied: GivenDiff; pattern: Pattern | undefined },
  { actor, ports }: { readonly actor: Actor; readonly ports: LoopPorts },
): Promise<Submitted> {
  const { store } = ports;
  const diff = makeArtifact(made.applied.diff, 'text/x-diff');
  for (let tries = 1; ; tries++) {
    const moment = await new Moments(ports).now();
    const open = await openDossiers(moment);
    const taken = await alreadyTried(made, open, moment);
    if (taken !== undefined) return no(taken);
    const gates = await judge(made.content, open, moment);
    if ('refused' in gates) return no(`${gates.refused}.`.replace(/\.\.$/, '.'));
    await using alone = made.content.type === 'meta' ? await oneMeta(moment) : NOTHING_HELD;
    if (alone.refused !== undefined) return no(`${alone.refused}.`);
    const { proposalId, plan, did } = planProposal({ ...made, diff }, moment, gates.passed);
    const fenced = { ...plan, expect: [...(plan.expect ?? []), ...alone.expect] };
    const counted = await withCount(fenced, proposalId, { actor, diff, moment, made });
    if ('refused' in counted) return no(counted.refused);
    const result = await store.commit(counted.plan);
    if (result.committed) {
      await store.notify('loop');
      return { done: true, id: proposalId, did };
    }
    if (tries >= TRIES_MAX) return no('Others submitted at the same moment. Try again.');
  }
}

async function openDossiers({ store }: Moment): Promise<Dossier[]> {
  const states = ['draft', 'quarantined', ...OPEN_STATES] as const;
  const open = await listProposals(store, { states, limit: OPEN_MAX });
  return Promise.all(open.map(({ id }) => readDossier(store, id)));
}

/** As for what generators make: one open change for a value, and what failed for a pattern is not tried again. */
async function alreadyTried(
  { content, pattern }: { content: ProposalContent; pattern: Pattern | undefined },
  open: readonly Dossier[],
  { store, nowMs, config }: Moment,
): Promise<string | undefined> {
  const same = open.find(
    (one) =>
      one.content.diffDigest === content.diffDigest ||
      (content.change.kind === 'set_value' && samePlace(one.content.change, content.change)),
  );
  if (same !== undefined)
    return `${same.proposal.id} proposes a change of the same place already, and is ${same.proposal.state}.`;
  if (pattern === undefined) return undefined;
  const refusalHoldsMs = config.learn.refusalHolds;
  const { closedChanges } = await triedChanges(store, pattern, { nowMs, refusalHoldsMs });
  return whyClosed(content.change, closedChanges);
}

type Passed = Parameters<typeof planProposal>[2];

/** A person's own idea does not wait because a generator pauses. */
async function judge(
  content: ProposalContent,
  open: readonly Dossier[],
  moment: Moment,
): Promise<{ readonly passed: Passed } | { readonly refused: string }> {
  const count = open.filter(({ proposal }) => proposal.state !== 'quarantined').length;
  const max = moment.config.limits.openProposals;
  const place = await judgeOpen(moment.switches, { count, max });
  if ('refused' in place) return place;
  if (content.proposer.kind === 'human') return { passed: [place] };
  const unpaused = await judgePause(moment, content, open);
  return 'refused' in unpaused ? unpaused : { passed: [place, unpaused] };
}

/** What an agent submits counts towards its limit, in the same commit. */
async function withCount(
  plan: Plan,
  proposalId: string,
  about: {
    readonly actor: Actor;
    readonly diff: ReturnType<typeof makeArtifact>;
    readonly moment: Moment;
    readonly made: { readonly content: ProposalContent };
  },
): Promise<{ readonly plan: Plan } | { readonly refused: string }> {
  const { actor, diff, moment, made } = about;
  if (actor.kind === 'human') return { plan };
  const submit = await planSubmit(moment.store, {
    ...{ actor, content: diff, kind: 'proposal', subject: `proposal:${proposalId}` },
    about: recordedText(made.content.title),
    nowMs: moment.nowMs,
    perDay: moment.config.vet.submissionsPerDay,
  });
  if ('refused' in submit) return submit;
  const { expect = [], writes = [], entries = [] } = submit.plan;
  return {
    plan: {
      ...plan,
      expect: [...(plan.expect ?? []), ...expect],
      writes: [...(plan.writes ?? []), ...writes],
      entries: [...(plan.entries ?? []), ...entries],
    },
  };
}
