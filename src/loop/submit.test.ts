/** Changes that people and agents submit as a diff, from the door to the decision. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { CODER, OPERATOR } from '../../test/proposals.ts';
import type { Actor } from '../facts/index.ts';
import { readDossier } from '../proposal/index.ts';
import { type ChangeSubmission, decideByHand, setAsideByHand, submitChange } from './index.ts';
import { FILE, type World, worldPerTest } from './loop.test-support.ts';

const ANN: Actor = { kind: 'human', id: 'ann@example.org', verified: 'token' };

describe.each(['memory', 'postgres'] as const)('a submitted change on %s', (kind) => {
  const open = worldPerTest(kind);
  const by = (world: World, actor: Actor) => ({ actor, ports: world.ports() });

  /** A world with a known pattern: what the loop proposed for it was given up. */
  async function known() {
    const world = await open();
    const { proposal, content } = await world.propose();
    const why = { act: 'abort', reason: 'by hand instead' } as const;
    await setAsideByHand(proposal.id, why, by(world, OPERATOR));
    await world.run();
    return { world, pattern: content.patternId! };
  }

  async function diffOf(world: World, path: string, text: (before: string) => string) {
    const head = (await world.head())!;
    const bytes = await world.repository.readFile(head, path);
    const content = Buffer.from(text(Buffer.from(bytes ?? '').toString()));
    const tree = await world.repository.writeFiles(head, [{ path, content }]);
    const author = { name: 'ann', email: 'ann@example.org', atMs: 0 };
    const given = { tree, parents: [head], message: 'x', author };
    return world.repository.diff(head, await world.repository.commit(given));
  }

  const retries = (to: string) => (before: string) =>
    before.replace('retries: 2', `retries: ${to}`);
  const submission = (diff: string, more: Partial<ChangeSubmission> = {}): ChangeSubmission => ({
    ...{ diff, title: 'Try the search more often', rationale: 'It fails and then works.' },
    ...{ category: 'bugfix', pattern: undefined, evidence: [], ...more },
  });

  test('an agent’s goes the way of every proposal, at tier require, and no agent approves it', async () => {
    const { world, pattern } = await known();
    const given = submission(await diffOf(world, FILE, retries('3')), { pattern });
    const made = await submitChange(given, by(world, CODER));
    if (!made.done) throw new Error(made.why);
    await world.run();
    const { proposal, content, attestations } = await readDossier(world.store, made.id);
    expect(content).toMatchObject({
      ...{ proposer: CODER, patternId: pattern, type: 'behavior_fix', files: [FILE] },
      change: { kind: 'set_value', from: 2, to: 3 },
    });
    expect(attestations.map((one) => one.kind)).toContain('vetting');
    expect(proposal.state).toBe('pending');
    const yes = { verdict: 'approved', reason: 'mine' } as const;
    expect(await decideByHand(made.id, yes, by(world, CODER))).toMatchObject({ done: false });
    const local: Actor = { ...OPERATOR, verified: 'local' };
    expect(await decideByHand(made.id, yes, by(world, local))).toMatchObject({
      done: false,
      why: expect.stringContaining('more proof of who decides'),
    });
    expect(await decideByHand(made.id, yes, by(world, OPERATOR))).toMatchObject({ done: true });
    await world.run();
    expect(await world.fileAt(await world.head())).toContain('retries: 3');
    const entries = await recorded(world.store);
    const subject = `proposal:${made.id}`;
    const mine = entries.filter((one) => one.subject === subject).map(({ type }) => type);
    expect(mine.slice(0, 2).sort()).toEqual(['proposal.created', 'vet.submitted']);
  });

  test('a person’s needs no pattern but evidence, and its proposer never approves it', async () => {
    const { world, pattern } = await known();
    const diff = await diffOf(world, FILE, retries('3'));
    expect(await submitChange(submission(diff), by(world, ANN))).toMatchObject({
      done: false,
      why: expect.stringContaining('evidence'),
    });
    const made = await submitChange(submission(diff, { pattern }), by(world, ANN));
    if (!made.done) throw new Error(made.why);
    await world.run();
    const yes = { verdict: 'approved', reason: 'mine' } as const;
    expect(await decideByHand(made.id, yes, by(world, ANN))).toMatchObject({ done: false });
    expect(await decideByHand(made.id, yes, by(world, OPERATOR))).toMatchObject({ done: true });
  });

  test('what must not be proposed is refused, and nothing is recorded', async () => {
    const { world, pattern } = await known();
    const diff = await diffOf(world, FILE, retries('3'));
    const before = await recorded(world.store);
    const secret = ['AKIA', 'Q3EGRI5WZT7KJ2XN'].join('');
    const long = await diffOf(world, FILE, (text) => `${text}${'# more\n'.repeat(61)}`);
    const gate = await diffOf(world, 'hone.yaml', () => 'vet:\n  filesMax: 200\n');
    const fine = { pattern };
    for (const [given, why] of [
      [submission(diff.replace('retries: 3', `retries: 3 # ${secret}`), fine), 'secret'],
      [submission(diff, { ...fine, rationale: `use ${secret}` }), 'secret'],
      [submission(gate, fine), 'judges changes'],
      [submission(long, fine), 'at most 60'],
      [submission('nonsense', fine), 'does not apply'],
      [submission(diff), 'Name the pattern'],
      [submission(diff, { pattern: 'pat_x' }), 'no pattern'],
    ] as const) {
      const made = await submitChange(given, by(world, CODER));
      expect(made).toMatchObject({ done: false, why: expect.stringContaining(why) });
    }
    expect(await recorded(world.store)).toEqual(before);
  });

  test('META-1 a person changes what judges at tier require, one a day and not two at once; nobody else does', async () => {
    const { world, pattern } = await known();
    const test = (n: number) =>
      diffOf(world, `tests/search-${n}.test.js`, () => `expect(${n}).toBe(${n});\n`);
    const submit = async (n: number, actor: Actor) =>
      submitChange(submission(await test(n), { pattern }), by(world, actor));
    expect(await submit(0, CODER)).toMatchObject({ done: false });
    expect(await submit(0, { kind: 'system', id: 'hone', verified: 'local' })).toMatchObject({
      done: false,
    });
    const diffs = await Promise.all([1, 2, 3].map(test));
    const made = await Promise.all(
      diffs.map((diff) => submitChange(submission(diff, { pattern }), by(world, ANN))),
    );
    const [first] = made.filter(({ done }) => done);
    expect(made.filter(({ done }) => done)).toHaveLength(1);
    const { id } = first as { id: string };
    expect((await readDossier(world.store, id)).content.type).toBe('meta');
    await world.run();
    const local: Actor = { ...OPERATOR, verified: 'local' };
    const yes = { verdict: 'approved', reason: 'fine' } as const;
    expect(await decideByHand(id, yes, by(world, local))).toMatchObject({ done: false });
    // Given up, it still was the one of that day.
    const why = { act: 'abort', reason: 'no' } as const;
    await setAsideByHand(id, why, by(world, OPERATOR));
    await world.run();
    world.config = world.configured({ switches: { limits: 'off' } });
    expect(await submit(4, ANN)).toMatchObject({
      done: false,
      why: expect.stringContaining(`${id} changes what judges changes and was made today`),
    });
    await world.clock.advance(24 * 3_600_000);
    expect(await submit(4, ANN)).toMatchObject({ done: true });
  });

  test('an agent has so many a day, also when it submits them at the same moment', async () => {
    const { world, pattern } = await known();
    world.config = world.configured({ vet: { submissionsPerDay: 2 } });
    const diffs = await Promise.all(
      ['# one', '# two', '# three', '# four'].map((line) =>
        diffOf(world, FILE, (text) => `${text}${line}\n`),
      ),
    );
    const submit = (diff: string, actor: Actor) =>
      submitChange(submission(diff, { pattern }), by(world, actor));
    const made = await Promise.all(diffs.slice(0, 3).map((diff) => submit(diff, CODER)));
    expect(made.filter(({ done }) => done)).toHaveLength(2);
    expect(made.find(({ done }) => !done)).toMatchObject({
      why: expect.stringContaining('the limit is 2 a day'),
    });
    // Another spelling is the same agent; another agent has a limit of its own.
    expect(await submit(diffs[3]!, { ...CODER, id: 'Coder ' })).toMatchObject({ done: false });
    expect(await submit(diffs[3]!, { ...CODER, id: 'other' })).toMatchObject({ done: true });
    expect(await submit(diffs[3]!, ANN)).toMatchObject({
      done: false,
      why: expect.stringContaining('already'),
    });
  });
});
