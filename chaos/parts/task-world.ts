/**
 * One task and everybody who does something to it, in any order: workers who skip, claim, come second, change the commit, go
 * back, wait; evidence of every kind of badness. Whatever was let pass is judged again here, by rules that are written
 * anew from the words of the process and share no code with the gate.
 */
import { idMaker, ManualClock, type Random, randomInt } from '../../src/base/index.ts';
import type { Actor, EvidenceFact, EvidenceKind } from '../../src/facts/index.ts';
import {
  type advanceGate,
  definitionSchema,
  findTask,
  type Task,
  Tasks,
} from '../../src/process/index.ts';
import { type Store, withClock } from '../../src/store/index.ts';

const DAY_MS = 86_400_000;
const LEASE_MS = 600_000;
const ORDER = ['plan', 'build', 'check', 'review'] as const;
/** By phase: what it needs, and whether Hone must have made it. */
const NEEDS = {
  plan: ['document', false],
  build: ['diff', true],
  check: ['tests', true],
  review: ['rubric', false],
} as const;
const STRICT = 'check';

const DEFINITION = definitionSchema.parse({
  name: 'chaos',
  phases: ORDER.map((name, at) => ({
    name,
    ...(at === 0 ? {} : { after: ORDER[at - 1] }),
    risk: 'low',
    strict: name === STRICT,
    gates: [{ name, needs: [{ evidence: NEEDS[name][0], own: NEEDS[name][1] }] }],
  })),
});

const WORKERS = ['ann', 'bob'] as const;
const COMMITS = ['a'.repeat(40), 'b'.repeat(40)] as const;
const DRIFT = [{ what: 'AGENTS.md', expectedDigest: 'sha256:1', foundDigest: 'sha256:2' }];

export interface Played {
  readonly violations: readonly string[];
  readonly transitions: number;
  readonly refused: number;
}

interface Options {
  readonly store: Store;
  readonly random: Random;
  readonly acts: number;
  readonly gate?: typeof advanceGate;
}

export async function playTask({ store: shared, random, acts, gate }: Options): Promise<Played> {
  const clock = new ManualClock();
  const store = withClock(shared, clock);
  const newId = idMaker(clock, random);
  const settings = { lease: LEASE_MS, stalledAfter: 5_400_000, repeats: 3 };
  const tasks = new Tasks({ store, newId, settings, ...(gate === undefined ? {} : { gate }) });
  const one = <T>(values: readonly T[]): T => values[randomInt(random, values.length)]!;
  const chance = (share: number) => randomInt(random, 1000) < share * 1000;
  const actorOf = (id: string): Actor => ({ kind: 'agent', id, verified: 'local' });
  const evidence: EvidenceFact[] = [];
  const violations: string[] = [];
  let [transitions, refused] = [0, 0];
  const { id } = await tasks.start({
    ...{ title: 'chaos', definition: DEFINITION, commit: COMMITS[0], persona: null },
    ...{ actor: actorOf('ann'), worker: 'ann' },
  });
  let holder: { worker: string; untilMs: number } = {
    worker: 'ann',
    untilMs: clock.nowMs() + LEASE_MS,
  };

  const addEvidence = (task: Task) => {
    const phase = chance(0.8) ? task.phase : one(ORDER);
    const kind: EvidenceKind = chance(0.9)
      ? NEEDS[phase as (typeof ORDER)[number]][0]
      : one(['document', 'tests', 'diff']);
    evidence.push({
      ...{ id: newId('ev'), kind, name: kind, phase, manifestDigest: `sha256:${'0'.repeat(64)}` },
      origin: chance(0.75) ? 'own' : 'claimed',
      round: chance(0.9) ? task.round : Math.max(0, task.round - 1),
      commit: chance(0.85) ? task.commit : one(COMMITS),
      isValid: chance(0.85),
      problem: null,
      actor: actorOf('ann'),
      atMs: clock.nowMs() - (chance(0.1) ? 2 * DAY_MS : 0),
    });
  };

  for (let act = 0; act < acts; act++) {
    const task = await findTask(store, id);
    const worker = chance(0.85) ? holder.worker : one(WORKERS);
    const what = randomInt(random, 100);
    if (what < 40) addEvidence(task);
    else if (what < 80) {
      const drift = chance(0.1) ? DRIFT : [];
      const ungoverned = chance(0.1) ? ['claude-code'] : [];
      const to = chance(0.75) ? undefined : one([...ORDER, 'deploy']);
      const nowMs = clock.nowMs();
      const isFree = nowMs >= holder.untilMs || worker === holder.worker;
      const outcome = await tasks.advance(task, {
        ...{ actor: actorOf(worker), worker, to, summary: '', evidence, drift, promptDigests: [] },
        ...{
          parts: { writes: [], entries: [] },
          ungoverned,
          configured: new Set(),
          maxAgeMs: DAY_MS,
          session: undefined,
        },
        escalation: () => ({}),
      });
      if (isFree) holder = { worker, untilMs: nowMs + LEASE_MS };
      if (outcome.done) {
        transitions += 1;
        const wrong = judge({
          before: task,
          after: outcome.task,
          to,
          evidence,
          drifted: drift.length > 0,
          isUngoverned: ungoverned.length > 0,
          isFree,
          nowMs,
        });
        if (wrong !== undefined) violations.push(wrong);
      } else refused += 1;
    } else if (what < 86) {
      const outcome = await tasks.backtrack(task, {
        ...{ actor: actorOf(worker), worker, to: one(ORDER), reason: 'chaos', session: undefined },
      });
      if (outcome.done) holder = { worker, untilMs: clock.nowMs() };
    } else if (what < 90) await tasks.moveCommit(task, actorOf(worker), one(COMMITS));
    else if (what < 95) clock.advance(one([1000, LEASE_MS, DAY_MS + 1]));
    else if (task.escalated !== null)
      await tasks.release(task, { kind: 'human', id: 'eve', verified: 'token' }, 'seen');
  }
  return { violations, transitions, refused };
}

interface Passed {
  readonly before: Task;
  readonly after: Task;
  readonly to: string | undefined;
  readonly evidence: readonly EvidenceFact[];
  readonly drifted: boolean;
  readonly isUngoverned: boolean;
  readonly isFree: boolean;
  readonly nowMs: number;
}

/** What is wrong with a transition that was let pass; undefined if nothing is. */
function judge({
  before,
  after,
  to,
  evidence,
  drifted,
  isUngoverned,
  isFree,
  nowMs,
}: Passed): string | undefined {
  const at = ORDER.indexOf(before.phase as (typeof ORDER)[number]);
  const reached = after.state === 'done' ? undefined : after.phase;
  if (before.state === 'done') return 'it went on after its end';
  if (reached !== ORDER[at + 1]) return `${before.phase} → ${reached}: out of order`;
  if (to !== undefined && to !== reached) return `${to} was asked for, ${reached} was reached`;
  if (!isFree) return 'somebody else has the phase';
  if (before.escalated === 'repeated') return 'a person was asked and had not answered';
  if (drifted && before.phase === STRICT) return 'prompts had changed';
  if (isUngoverned && before.phase === STRICT) return 'hooks had been taken away';
  for (const phase of ORDER.slice(0, at + 1)) {
    const [kind, own] = NEEDS[phase];
    if (phase !== before.phase && !own) continue;
    let last: EvidenceFact | undefined;
    for (const one of evidence)
      if (one.phase === phase && one.kind === kind && (!own || one.origin === 'own')) last = one;
    if (last === undefined || !last.isValid) return `no valid ${kind} for ${phase}`;
    if (last.round < (before.freshFrom[phase] ?? 0)) return `stale ${kind} for ${phase}`;
    if (own && last.commit !== before.commit) return `${kind} of another commit`;
    if (own && nowMs - last.atMs > DAY_MS) return `old ${kind}`;
  }
  return undefined;
}
