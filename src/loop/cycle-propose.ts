/**
 * The proposing phase of a cycle, one pattern at a time: what may be proposed at all, what `propose`
 * makes of the pattern, and the plan that starts the proposal.
 */
import { artifactWrite } from '../artifact/index.ts';
import { readPattern } from '../diagnose/index.ts';
import { type Pattern, SYSTEM } from '../facts/index.ts';
import { triedChanges } from '../learn/index.ts';
import { type LetPass, letPassEntry, letPassWords } from '../policy/index.ts';
import {
  type Dossier,
  listProposals,
  OPEN_STATES,
  planCreate,
  readDossier,
} from '../proposal/index.ts';
import { type Answer, type Proposed, proposeFix } from '../propose/index.ts';
import type { Expectation, Plan } from '../store/index.ts';
import { headOf } from './adapters/target.ts';
import { afterProposing, type CycleData, type CycleStep } from './cycle-work.ts';
import { judgeOpen, judgePause } from './gates.ts';
import type { Moment } from './moment.ts';
import { pageEffect } from './pages.ts';
import { tiedBack } from './tied-back.ts';
import { trialHint, withTrialAlone } from './trial-alone.ts';
import type { Finding } from './types.ts';
import { newWork } from './works.ts';

const OPEN_MAX = 1000;

export async function proposeOne(data: CycleData, moment: Moment): Promise<CycleStep> {
  const [id, ...left] = data.left;
  const pattern = await readPattern(moment.store, id!);
  if (pattern === undefined) throw new Error(`the pattern ${id} was recorded and is gone`);
  const made = await propose(pattern, moment);
  const about = { title: pattern.title, pattern: pattern.id };
  const finding: Finding =
    'declined' in made
      ? { ...about, did: 'declined', why: made.declined, proposal: null }
      : { ...about, did: 'proposed', why: made.title, proposal: made.proposalId };
  return {
    plan: made.plan ?? {},
    did: 'declined' in made ? `left alone: ${made.declined}` : made.did,
    data: {
      ...data,
      phase: left.length === 0 ? afterProposing(data) : 'propose',
      left,
      report: { ...data.report, findings: [...data.report.findings, finding] },
    },
  };
}

interface Made {
  readonly title: string;
  readonly proposalId: string;
  readonly plan: Plan;
  readonly did: string;
}

interface Declined {
  readonly declined: string;
  readonly plan?: Plan;
}

async function propose(pattern: Pattern, moment: Moment): Promise<Made | Declined> {
  const { store, config } = moment;
  // A held proposal is not proposed again in every cycle, but does not count towards the limit.
  const states = ['draft', 'quarantined', ...OPEN_STATES] as const;
  const open = await listProposals(store, { states, limit: OPEN_MAX });
  const count = open.filter(({ state }) => state !== 'quarantined').length;
  const place = await judgeOpen(moment.switches, { count, max: config.limits.openProposals });
  if ('refused' in place) return { declined: place.refused };
  const tied = await tiedBack(pattern, moment);
  if (tied !== undefined) return tied;
  const dossiers = await Promise.all(open.map(({ id }) => readDossier(store, id)));
  const isAllowed = config.propose.trials;
  const given = await withTrialAlone(pattern, { open: dossiers, store, isAllowed });
  const answer = await fixFor(given, moment, dossiers);
  if ('declined' in answer) {
    const { minConfidence } = config.diagnose;
    const declined = `${answer.declined}${trialHint(pattern, { isAllowed, minConfidence })}`;
    return { declined: watchedFix(pattern, dossiers) ?? declined };
  }
  // If the generator of the best one pauses, the next one is tried.
  let paused: string | undefined;
  for (const proposed of answer.proposed) {
    const unpaused = await judgePause(moment, proposed.content, dossiers);
    if (!('refused' in unpaused)) return planProposal(proposed, moment, [place, unpaused]);
    paused ??= unpaused.refused;
  }
  return { declined: paused! };
}

/** That its cause was found before is what a person wants to know; the files no longer show it. */
function watchedFix({ id }: Pattern, open: readonly Dossier[]): string | undefined {
  const fix = open.find(
    ({ proposal, content }) => proposal.state === 'monitoring' && content.patternId === id,
  );
  if (fix === undefined) return undefined;
  return `Its fix is being watched: ${fix.content.title} (${fix.proposal.id}). What is seen here is in part from before it, so nothing more is done yet.`;
}

async function fixFor(pattern: Pattern, moment: Moment, open: readonly Dossier[]): Promise<Answer> {
  const { store, nowMs, config, repository } = moment;
  const refusalHoldsMs = config.learn.refusalHolds;
  return proposeFix(pattern, {
    ...(await triedChanges(store, pattern, { nowMs, refusalHoldsMs })),
    repository,
    head: await headOf(moment),
    openChanges: open.map(({ content }) => content.change),
    proposer: SYSTEM,
    minConfidence: config.diagnose.minConfidence,
  });
}

interface Passed {
  readonly letPass: LetPass | undefined;
  readonly unchanged: readonly Expectation[];
}

export function planProposal(
  { content, diff }: Pick<Proposed, 'content' | 'diff'>,
  { newId, nowMs }: Moment,
  gates: readonly Passed[],
): Made {
  const proposalId = newId('p');
  const created = planCreate(proposalId, content, nowMs);
  const letPass = gates.map((gate) => gate.letPass).filter((one) => one !== undefined);
  const passed = letPass.map((one) => letPassEntry(one, `proposal:${proposalId}`, nowMs));
  const plan: Plan = {
    ...created,
    expect: [...(created.expect ?? []), ...gates.flatMap(({ unchanged }) => unchanged)],
    entries: [...(created.entries ?? []), ...passed],
    writes: [
      artifactWrite(diff, nowMs),
      ...(created.writes ?? []),
      newWork({ kind: 'proposal', subject: proposalId, dueAtMs: nowMs, data: {}, nowMs }),
    ],
    effects: [pageEffect({ id: proposalId, version: 1, state: 'draft' })],
  };
  const did = [`proposed: ${content.title}`, ...letPass.map(letPassWords)].join('. ');
  return { title: content.title, proposalId, plan, did };
}
