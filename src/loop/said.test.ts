/** Why a change was rejected or taken back, and what was done to a branch: said wherever people look. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { readArtifact } from '../artifact/index.ts';
import { silentLog } from '../base/index.ts';
import { latest, readAllSaid } from '../proposal/index.ts';
import { callBack, decideByHand } from './index.ts';
import {
  AGENT,
  HOUR_MS,
  MINUTE_MS,
  traffic,
  type World,
  worldPerTest,
} from './loop.test-support.ts';

describe('what is said', () => {
  const makeWorld = worldPerTest('memory');

  const told = async ({ store }: World) =>
    [
      ...(await store.all('SELECT payload AS text FROM outbox_effects')),
      ...(await store.all('SELECT title, text FROM notify_pending')),
    ].map((row) => JSON.stringify(row));

  const message = async (world: World) =>
    (await world.repository.commitInfo(await world.head())).message;

  /** Deployed, then worse than before, then taken back. */
  const worsened = async () => {
    const world = await makeWorld();
    await world.deployed();
    world.clock.advance(HOUR_MS);
    const untilMs = world.clock.nowMs();
    world.files.text += traffic({ untilMs, overMs: 50 * MINUTE_MS, failEvery: 2 });
    await world.run();
    const dossier = await world.single();
    expect(dossier.proposal.state).toBe('reverted');
    return { world, dossier };
  };

  test('MON-2 of a rollback: the numbers, in the commit, in the notice and with the attestation', async () => {
    const { world, dossier } = await worsened();
    const call = latest(dossier.attestations, 'monitoring', dossier.proposal.digest)!;
    const said = (await readAllSaid(world.store, dossier.attestations)).get(call.id)!;
    expect(said.reason).toMatch(/\d+ of \d+ \([\d.]+ %\), where [\d.]+ were expected/);
    const line =
      /^error_rate of researcher: before \d+ of \d+ \(20\.0 %\), since \d+ of \d+ \(50\.0 %\); worst .+ expected [\d.]+, [\d.]+ % more, 25\.0 % allowed, evidence \d+ of 336 needed$/;
    expect(said.numbers).toContainEqual(expect.stringMatching(line));
    const commit = await message(world);
    for (const text of said.numbers) expect(commit).toContain(`> ${text}`);
    expect(commit).toContain('were expected');
    const notice = (await told(world)).find((text) => text.includes('Taken back'))!;
    expect(notice).toContain('were expected');
  });

  test('MON-2 from the minute that shows the harm to the branch without the change: five minutes at the most', async () => {
    const world = await makeWorld();
    world.files.text += traffic({ untilMs: world.clock.nowMs(), calls: 2400 });
    await world.deployed();
    let dossier = await world.single();
    // Late in the watch, where it is looked at every five minutes.
    const harmMs = world.clock.nowMs() + 120 * MINUTE_MS;
    for (let minute = 0; dossier.proposal.state === 'monitoring' && minute < 300; minute++) {
      world.clock.advance(MINUTE_MS);
      const untilMs = world.clock.nowMs();
      const failEvery = minute < 120 ? 5 : 2;
      world.files.text += traffic({ untilMs, overMs: MINUTE_MS, calls: 10, failEvery });
      await world.run();
      dossier = await world.single();
    }
    expect(dossier.proposal.state).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    const { digest } = dossier.proposal;
    const call = latest(dossier.attestations, 'monitoring', digest)!;
    const { content } = await readArtifact(world.store, call.artifacts[0]!);
    const { series } = JSON.parse(Buffer.from(content).toString());
    const [worst] = series.filter(({ finding }: { finding: unknown }) => finding !== null);
    const foundAtMs = Date.parse(worst.finding.found);
    const reverted = latest(dossier.attestations, 'rollback', digest)!;
    expect(foundAtMs).toBeLessThanOrEqual(reverted.atMs);
    expect(reverted.atMs - foundAtMs).toBeLessThanOrEqual(5 * MINUTE_MS);
    // The calls of ten minutes show it.
    expect(reverted.atMs - harmMs).toBeLessThanOrEqual((10 + 5) * MINUTE_MS);
  });

  test('of a rollback by a person: their reason, in the commit and in the notice', async () => {
    const world = await makeWorld();
    const { id } = (await world.deployed()).proposal;
    await callBack(id, 'the search bill doubled', { actor: OPERATOR, ports: world.ports() });
    await world.run();
    const words = `asked for by ${OPERATOR.id}: the search bill doubled`;
    // A forge must not take the address for a mention.
    expect(await message(world)).toContain(`> ${words.replace('@', '%40')}`);
    const notice = (await told(world)).find((text) => text.includes('Taken back'))!;
    expect(notice).toContain(words);
  });

  test('of a rejection: the reason, with the decision and in a notice', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const decision = { verdict: 'rejected', reason: 'we change the vendor' } as const;
    await decideByHand(id, decision, { actor: OPERATOR, ports: world.ports() });
    const { attestations } = await world.single();
    const said = await readAllSaid(world.store, attestations);
    expect([...said.values()]).toContainEqual({ reason: 'we change the vendor', numbers: [] });
    const notice = (await told(world)).find((text) => text.includes('Rejected: '))!;
    expect(notice).toContain('we change the vendor');
  });

  test('of a branch that was moved by itself: a line in the log, with proposal, branch, from and to', async () => {
    const world = await makeWorld();
    const lines: unknown[] = [];
    const log = {
      ...silentLog,
      info: (text: string, data?: object) => {
        if (text === 'a branch was moved') lines.push([text, data]);
      },
    };
    const from = await world.head();
    const { id } = (await world.propose()).proposal;
    await world.approve(id);
    await world.run(world.loop({ log }));
    const to = await world.head();
    const deployed = { proposal: id, branch: 'refs/heads/main', from, to };
    expect(lines).toEqual([['a branch was moved', deployed]]);
    await callBack(id, 'no', { actor: OPERATOR, ports: world.ports() });
    await world.run(world.loop({ log }));
    const back = { proposal: id, branch: 'refs/heads/main', from: to, to: await world.head() };
    expect(lines.slice(1)).toEqual([['a branch was moved', back]]);
  });
});
