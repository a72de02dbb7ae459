/** A change is taken back on whose lines a later one of Hone's own was made. */
import { describe, expect, test } from 'vitest';
import { CODER, OPERATOR } from '../../test/proposals.ts';
import { listFixes } from '../learn/index.ts';
import {
  type Dossier,
  readAttestations,
  readDossier,
  takenBackForHarm,
} from '../proposal/index.ts';
import { callBack, submitChange } from './index.ts';
import { AGENT, FILE, HOUR_MS, killedAt, type World, worldPerTest } from './loop.test-support.ts';

const MINUTE_MS = 60_000;

describe.each(['memory', 'postgres'] as const)('a change under a later one on %s', (kind) => {
  const open = worldPerTest(kind);
  const by = (world: World) => ({ actor: OPERATOR, ports: world.ports() });
  const stateOf = async (world: World, { proposal }: Dossier) =>
    (await readDossier(world.store, proposal.id)).proposal.state;

  /** What a person writes into the file, as a diff or as a commit. */
  async function written(world: World, text: string, path = FILE) {
    const head = (await world.head())!;
    const content = Buffer.from(text);
    const tree = await world.repository.writeFiles(head, [{ path, content }]);
    const author = { name: 'ann', email: 'ann@example.org', atMs: 0 };
    return world.repository.commit({ tree, parents: [head], message: 'x', author });
  }

  async function commits(world: World, text: string, path = FILE) {
    const head = (await world.head())!;
    await world.repository.moveRef('refs/heads/main', await written(world, text, path), head);
  }

  /** Two changes that are watched, the second also on the line that the first changed. */
  async function twoOnOneLine() {
    const world = await open();
    const below = await world.deployed();
    world.clock.advance(2 * HOUR_MS);
    await world.run();
    const head = (await world.head())!;
    const text = (await world.fileAt(head))!
      .replace('# too tight', '# longer')
      .replace('retries: 2', 'retries: 3');
    const diff = await world.repository.diff(head, await written(world, text));
    const submitted = await submitChange(
      {
        ...{ diff, title: 'Try it more often', rationale: 'It fails and then works.' },
        ...{ category: 'bugfix', pattern: below.content.patternId!, evidence: [] },
      },
      { actor: CODER, ports: world.ports() },
    );
    if (!submitted.done) throw new Error(submitted.why);
    await world.run();
    await world.approve(submitted.id);
    await world.run();
    const onTop = await readDossier(world.store, submitted.id);
    expect(onTop.proposal.state).toBe('monitoring');
    expect(await world.fileAt(await world.head())).toContain('retries: 3');
    return { world, below, onTop };
  }

  const askBack = async (world: World, { proposal }: Dossier) => {
    const asked = await callBack(proposal.id, 'it does harm', by(world));
    if (!asked.done) throw new Error(asked.why);
  };

  /** Until nothing is due for a while. */
  async function goOn(world: World, loop = world.loop()) {
    for (let times = 0; times < 5; times++) {
      await world.run(loop);
      world.clock.advance(10_000);
    }
  }

  test('MON-4 both are taken back, the newest first, and only the one below has to answer for it', async () => {
    const { world, below, onTop } = await twoOnOneLine();
    await commits(world, 'by hand\n', 'NOTES.md');
    await askBack(world, below);
    await goOn(world);
    expect([await stateOf(world, below), await stateOf(world, onTop)]).toEqual([
      'reverted',
      'reverted',
    ]);
    const head = await world.head();
    expect(await world.fileAt(head)).toBe(AGENT);
    expect(await world.fileAt(head, 'NOTES.md')).toBe('by hand\n');
    const [first, second] = await Promise.all(
      [onTop, below].map(async ({ proposal }) =>
        (await readAttestations(world.store, proposal.id)).filter(
          ({ kind: one }) => one === 'rollback',
        ),
      ),
    );
    expect(first!.map(({ verdict }) => verdict)).toEqual(['done']);
    expect(second!.map(({ verdict }) => verdict)).toEqual(['requested', 'done']);
    const fixes = await listFixes(world.store, below.content.patternId!);
    const outcomes = new Map(fixes.map((one) => [one.proposalId, one]));
    expect(outcomes.get(below.proposal.id)).toMatchObject({ outcome: 'withdrawn' });
    expect(outcomes.get(onTop.proposal.id)).toMatchObject({
      outcome: 'cleared',
      reason: expect.stringContaining(below.proposal.id),
    });
    // A person asked for the one below, and the one on top did nothing: neither pauses automatic changes.
    expect(await takenBackForHarm(world.store, 0)).toBeUndefined();
  });

  test('MON-4 where a person wrote on top of both, a person is asked, and the other change stays', async () => {
    const { world, below, onTop } = await twoOnOneLine();
    const both = (await world.fileAt(await world.head()))!;
    const mine = AGENT.replace(/timeout_ms: \d+/, 'timeout_ms: 7777');
    await commits(world, mine);
    await askBack(world, below);
    await goOn(world);
    expect(await stateOf(world, onTop)).toBe('monitoring');
    expect(await stateOf(world, below)).toBe('monitoring');
    expect(await world.fileAt(await world.head())).toBe(mine);
    const told = await readAttestations(world.store, below.proposal.id);
    expect(
      told.filter(({ verdict, kind: one }) => one === 'rollback' && verdict === 'failed'),
    ).toHaveLength(1);
    // The person gives way: then it goes on by itself.
    await commits(world, both);
    world.clock.advance(MINUTE_MS);
    await goOn(world);
    expect([await stateOf(world, below), await stateOf(world, onTop)]).toEqual([
      'reverted',
      'reverted',
    ]);
    expect(await world.fileAt(await world.head())).toBe(AGENT);
  });

  test('MON-4 a change beside the line of a later one is taken back alone', async () => {
    const { world, below, onTop } = await twoOnOneLine();
    // Whoever puts the comment back leaves the two beside each other.
    const now = (await world.fileAt(await world.head()))!;
    await commits(world, now.replace('# longer', '# too tight'));
    await askBack(world, below);
    await goOn(world);
    expect([await stateOf(world, below), await stateOf(world, onTop)]).toEqual([
      'reverted',
      'monitoring',
    ]);
    expect(await world.fileAt(await world.head())).toBe(AGENT.replace('retries: 2', 'retries: 3'));
  });

  test('MON-4 killed before and after each commit on the way, it comes to the same end', async () => {
    const { world, below, onTop } = await twoOnOneLine();
    await askBack(world, below);
    for (let times = 0; times < 12; times++)
      for (const when of ['before', 'after'] as const) {
        await world.run(world.loop({ store: killedAt(world.store, when) })).catch(() => {});
        // Whoever is killed holds its claim for a while.
        world.clock.advance(MINUTE_MS);
      }
    await goOn(world);
    expect([await stateOf(world, below), await stateOf(world, onTop)]).toEqual([
      'reverted',
      'reverted',
    ]);
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    const calls = await readAttestations(world.store, onTop.proposal.id);
    expect(calls.filter(({ verdict }) => verdict === 'degraded')).toHaveLength(1);
  });
});
