/**
 * A phase transition as agents make it: evidence that is handed in, the gate over it, the journal, the ledger's entries, the
 * lease handed over; all in one durable commit. Its floor is a bare durable INSERT of as many bytes as an entry's row has.
 */
import { idMaker, seededRandom, systemClock } from '../src/base/index.ts';
import { makePack, packParts } from '../src/evidence/index.ts';
import type { Actor } from '../src/facts/index.ts';
import { definitionSchema, type Task, Tasks } from '../src/process/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { bareInsert, openFile, withFolder } from './parts/bench-store.ts';
import { median, takeTurns } from './parts/timing.ts';

const PHASES = 9;
const ACTOR: Actor = { kind: 'agent', id: 'coder', verified: 'local' };
const DAY_MS = 86_400_000;

const DEFINITION = definitionSchema.parse({
  name: 'bench',
  phases: Array.from({ length: PHASES }, (_, at) => ({
    name: `p${at}`,
    ...(at === 0 ? {} : { after: `p${at - 1}` }),
    risk: 'low',
    gates: [{ name: 'g', needs: [{ evidence: 'document', name: 'done.md', sections: ['Done'] }] }],
  })),
});

export const measurement: Measurement = {
  what: 'a phase transition with evidence and entries against a bare durable commit',
  aims: { transition_ratio: '<=1.7' },
  async *run({ scale }) {
    yield* await withFolder((folder) => figures(folder, Math.ceil(2000 * scale)));
  },
};

async function figures(folder: string, count: number): Promise<Figure[]> {
  const store = await openFile(folder);
  const bare = bareInsert(folder);
  const newId = idMaker(systemClock, seededRandom(1));
  const settings = { lease: 600_000, stalledAfter: 5_400_000, repeats: 3 };
  const tasks = new Tasks({ store, newId, settings });
  const start = () =>
    tasks.start({
      ...{ title: 'bench', definition: DEFINITION, commit: null, persona: null },
      ...{ actor: ACTOR, worker: 'coder' },
    });
  const begun: Task[] = [];
  for (let at = 0; at < Math.ceil(count / PHASES) + 2; at++) begun.push(await start());
  let task = begun.pop()!;
  const transition = async () => {
    if (task.state === 'done') task = begun.pop()!;
    const place = { taskId: task.id, phase: task.phase, round: 0, position: task.version };
    const pack = makePack({
      ...{ id: newId('ev'), kind: 'document', origin: 'claimed', place, commit: null },
      need: { evidence: 'document', name: 'done.md', sections: ['Done'] },
      file: { name: 'done.md', text: `# Done\n\n${task.phase} of ${task.id}\n` },
    });
    const nowMs = await store.nowMs();
    const parts = packParts(pack, place, { actor: ACTOR, nowMs });
    const outcome = await tasks.advance(task, {
      ...{ actor: ACTOR, worker: 'coder', to: undefined, summary: 'It is done.', parts },
      evidence: [{ ...pack.fact, actor: ACTOR, atMs: nowMs }],
      ...{
        drift: [],
        ungoverned: [],
        promptDigests: [],
        configured: new Set<never>(),
        maxAgeMs: DAY_MS,
        session: undefined,
      },
      escalation: () => ({}),
    });
    if (!outcome.done)
      throw new Error(`a measured transition was refused: ${JSON.stringify(outcome.refused)}`);
    task = outcome.task;
  };
  const times = await takeTurns({ measured: transition, floor: bare.insert, count, block: 20 });
  await store.close();
  bare.close();
  const [measured, floor] = [median(times.measured), median(times.floor)];
  return [{ metric: 'transition_ratio', value: measured / floor, measured, floor, unit: 'ms p50' }];
}
