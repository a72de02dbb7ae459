/** What tests of the room work on: a short process, evidence of it, and a task. */

import type { TimedStore } from '../../test/timed-store.ts';
import { idMaker, type NewId, seededRandom } from '../base/index.ts';
import type { Actor, EvidenceFact } from '../facts/index.ts';
import { type AdvanceRequest, definitionSchema, type Task, Tasks } from './index.ts';

export const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'local' };
export const PERSON: Actor = { kind: 'human', id: 'ada', verified: 'token' };
export const COMMIT = 'a'.repeat(40);
/** Where the clock of tests begins. */
export const BEGIN_MS = Date.UTC(2026, 0, 1);
export const LEASE_MS = 600_000;
export const MAX_AGE_MS = 86_400_000;

/** plan → build → check, written in another order. */
export const SHORT = definitionSchema.parse({
  name: 'short',
  phases: [
    {
      name: 'check',
      after: 'build',
      risk: 'low',
      strict: true,
      gates: [{ name: 'results', needs: [{ evidence: 'tests', own: true }] }],
    },
    {
      name: 'plan',
      risk: 'read_only',
      tools: ['notes/*'],
      gates: [{ name: 'plan', needs: [{ evidence: 'document', name: 'plan.md' }] }],
    },
    {
      name: 'build',
      after: 'plan',
      risk: 'medium',
      gates: [{ name: 'change', needs: [{ evidence: 'diff', own: true }] }],
    },
  ],
});

let made = 0;

export function fact(
  given: Partial<EvidenceFact> & Pick<EvidenceFact, 'kind' | 'phase'>,
): EvidenceFact {
  made += 1;
  return {
    id: `e_${made}`,
    name: given.kind === 'document' ? 'plan.md' : given.kind,
    origin: given.kind === 'document' ? 'claimed' : 'own',
    round: 0,
    commit: given.kind === 'document' ? null : COMMIT,
    isValid: true,
    problem: null,
    manifestDigest: `sha256:${'0'.repeat(64)}`,
    actor: AGENT,
    atMs: BEGIN_MS,
    ...given,
  };
}

export const PLAN = () => fact({ kind: 'document', phase: 'plan' });
export const DIFF = () => fact({ kind: 'diff', phase: 'build' });
export const TESTS = () => fact({ kind: 'tests', phase: 'check' });

export function asked(given: Partial<AdvanceRequest>): AdvanceRequest {
  return {
    actor: AGENT,
    worker: 'coder',
    to: undefined,
    summary: 'done',
    evidence: [],
    parts: { writes: [], entries: [] },
    drift: [],
    ungoverned: [],
    promptDigests: [],
    configured: new Set(),
    maxAgeMs: MAX_AGE_MS,
    session: undefined,
    escalation: () => ({}),
    ...given,
  };
}

export interface TaskWorld {
  readonly tasks: Tasks;
  readonly newId: NewId;
  start(given?: { title?: string; commit?: string | null }): Promise<Task>;
}

export function taskWorld(
  { store, clock }: Pick<TimedStore, 'store' | 'clock'>,
  seed = 3,
): TaskWorld {
  const newId = idMaker(clock, seededRandom(seed));
  const settings = { lease: LEASE_MS, stalledAfter: 5_400_000, repeats: 3 };
  const tasks = new Tasks({ store, newId, settings });
  return {
    tasks,
    newId,
    start: ({ title = 'Mend the retry', commit = COMMIT } = {}) =>
      tasks.start({
        ...{ title, definition: SHORT, commit, persona: null },
        ...{ actor: AGENT, worker: 'coder' },
      }),
  };
}
