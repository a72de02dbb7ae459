/**
 * Where both halves meet: what the gates of agents at work refuse is telemetry, the loop finds that the same mistake recurs
 * in many tasks, and proposes a rule for what the agents are told. Small tasks of a team's own process, so that there can
 * be many; the agents do what their instructions say, and nothing more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ProposalList,
  ShownChange,
  ShownProposal,
  TaskAdvance,
} from '../src/contracts/index.ts';
import { expectDone } from './installation.ts';
import type { Teller } from './teller.ts';
import type { WorkPlace } from './work-place.ts';

/** What the agents forget, by what their instructions have to say and what they then do. */
export interface ErrandKind {
  readonly process: string;
  readonly phase: string;
  readonly told: string;
  does(task: string): string[];
}

/** The tests, by a run of Hone's own: needs a sandbox. */
export const VERIFY_ERRANDS: ErrandKind = {
  process: 'errands',
  phase: 'verify',
  told: 'hone evidence run',
  does: (task) => ['evidence', 'run', task],
};

/** A document. */
export const planErrands = (file: string): ErrandKind => ({
  process: 'notes',
  phase: 'plan',
  told: 'hone evidence add',
  does: (task) => ['evidence', 'add', task, file, '--kind', 'document'],
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEFORE = 12;

/** Tasks while the rule is watched: so many rounds, evenly over the day that a watch lasts. */
export interface Watched {
  readonly rounds: number;
  readonly tasks: number;
}

/** For onlookers: enough to see it, too few for the watch to be sure. */
const A_FEW: Watched = { rounds: 1, tasks: 2 };

export interface Met {
  readonly proposal: string;
  readonly rule: string;
  readonly refusedBefore: number;
  readonly refusedAfter: number;
  /** What the watch of the rule says of it in the end. */
  readonly watch: ShownChange;
}

export async function halvesMeet(
  teller: Teller,
  place: WorkPlace,
  kind: ErrandKind,
  { rounds, tasks }: Watched = A_FEW,
): Promise<Met> {
  // As somebody's checkout beside the branch that Hone deploys to.
  await place.detach();
  const refusedBefore = await errands(place, kind, BEFORE);
  teller.tried(
    `${BEFORE} small tasks of other agents ask to leave ${kind.phase} at once:`,
    `${refusedBefore} are refused, and each refusal is telemetry.`,
  );
  place.later(HOUR_MS);
  expectDone(await place.hone('cycle', '--json'));
  const list = expectDone(await place.hone('proposals', 'list', '--state', 'pending', '--json'));
  const { proposals } = list.json<ProposalList>();
  const [made] = proposals;
  if (made === undefined || proposals.length > 1)
    throw new Error(`the story went another way: ${proposals.length} changes were proposed`);
  const shown = expectDone(await place.hone('proposals', 'show', made.id, '--json'));
  const { id, digest, diff } = shown.json<ShownProposal>();
  const rule = diff
    .split('\n')
    .find((line) => line.startsWith('+-'))!
    .slice(1);
  teller.tried('The loop finds that it recurs, and proposes:', `${made.title}.`);
  teller.indented(rule);
  const proof = { HONE_TOKEN: place.operatorSecret };
  expectDone(await place.honeWith(proof, 'approve', id, '--digest', digest));
  await place.pull();
  let refusedAfter = 0;
  for (let round = 0; round < rounds; round++) {
    place.later(DAY_MS / rounds);
    refusedAfter += await errands(place, kind, tasks);
  }
  teller.say(
    `An operator approves it, and it is deployed. ${rounds * tasks} more tasks, whose agents read it: ${refusedAfter} are refused.`,
  );
  const watch = await watchOf(place, id);
  teller.tried(
    'Does the rule help? A day later its own watch says:',
    watch.outcomeReason ?? watch.story.at(-1)!.what,
  );
  return { proposal: id, rule, refusedBefore, refusedAfter, watch };
}

/** The loop looks at what is due, the watch too. */
async function watchOf(place: WorkPlace, id: string): Promise<ShownChange> {
  place.later(HOUR_MS);
  expectDone(await place.hone('cycle', '--json'));
  return expectDone(await place.hone('changes', 'show', id, '--json')).json<ShownChange>();
}

/** How many of them were refused at their first try. */
async function errands(place: WorkPlace, kind: ErrandKind, count: number): Promise<number> {
  const told = readFileSync(join(place.root, 'AGENTS.md'), 'utf8');
  let refused = 0;
  for (let at = 1; at <= count; at++) {
    const agent = (...args: string[]) =>
      place.honeWith({ CLAUDECODE: '1' }, ...args, '--worker', 'errand-agent');
    const start = ['task', 'start', `Errand ${at}`, '--process', kind.process, '--json'];
    const { id } = expectDone(await agent(...start)).json<{ id: string }>();
    // It knows what to do only if its instructions say so.
    if (told.includes(kind.told)) expectDone(await agent(...kind.does(id)));
    const { advanced } = (await agent('task', 'advance', id, '--json')).json<TaskAdvance>();
    if (!advanced) refused += 1;
  }
  return refused;
}
