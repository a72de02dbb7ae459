/** Refusals of the gates become a rule for the agents, and the rule ends them. */
import { expect, test } from 'vitest';
import { captureIo } from '../src/cli/captured-io.ts';
import { openSmallRepository } from './act-three.ts';
import { halvesMeet, planErrands } from './halves-meet.ts';
import { DOCUMENTS } from './small-repository.ts';
import { Teller } from './teller.ts';

test('a gate that many tasks run into becomes a rule that a person approves, and is run into no more', async () => {
  using place = await openSmallRepository();
  const { io, said } = captureIo({ columns: 80 });
  const teller = new Teller({ io: io(false), pause: false });
  const file = place.beside('plan.md', DOCUMENTS.plan[1]);
  const met = await halvesMeet(teller, place, planErrands(file), { rounds: 9, tasks: 6 });
  expect(met).toMatchObject({ refusedBefore: 12, refusedAfter: 0 });
  expect(met.rule).toBe(
    '- Before you leave `plan`, write `plan.md` and hand it in: `hone evidence add TASK FILE --kind document`. `hone task show TASK` names the sections that it needs.',
  );
  // The halves meet a second time: what the rule does is measured on the tasks that follow it.
  expect(met.watch).toMatchObject({
    state: 'implemented',
    watch: 'probation',
    outcomeReason:
      'It held to the end of its watch: 0 of 54 tasks of errand-agent failed (0.0 %, before 100.0 %).',
  });
  expect(said.out.replace(/\s+/g, ' ')).toContain(met.watch.outcomeReason);
});
