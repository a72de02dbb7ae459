/** The whole way on the forge github, against the stand-in: asked, published, reviewed, merged, watched. */
import { afterEach, describe, expect, test } from 'vitest';
import { ANN, APP_ID, BEN, INSTALLATION_ID } from '../../test/github/stand-in.ts';
import { recorded } from '../../test/ledger.ts';
import { CODER, OPERATOR } from '../../test/proposals.ts';
import { readArtifact } from '../artifact/index.ts';
import { isoTime, seededRandom } from '../base/index.ts';
import { type OnGitHub, onGitHub } from '../deploy/forges/github/github.test-support.ts';
import type { TargetRepository } from '../git/index.ts';
import { readWatch } from '../monitor/index.ts';
import { latest, latestDecision, listProposals } from '../proposal/index.ts';
import {
  type Delivery,
  decideByHand,
  deliver,
  deliverAction,
  loopDestinations,
  setAsideByHand,
  targetOf,
  waitingProposals,
} from './index.ts';
import { AGENT, MINUTE_MS, traffic, type World, worldPerTest } from './loop.test-support.ts';
import type { LoopPorts } from './types.ts';

const MAIN = 'refs/heads/main';
const DAY_MS = 86_400_000;
const makeWorld = worldPerTest('memory');
const made: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one[Symbol.asyncDispose]();
});

interface Story extends OnGitHub {
  readonly one: World;
  readonly ports: () => LoopPorts;
  /** Everything that is due. */
  run(): Promise<void>;
  send(): Promise<void>;
  state(): Promise<string>;
}

async function story(
  changes: Record<string, unknown> = {},
  openWorld: typeof makeWorld = makeWorld,
): Promise<Story> {
  const on = await onGitHub();
  made.push(on);
  const one = await openWorld(on.forge.repository as TargetRepository);
  const { hub } = on;
  hub.nowMs = () => one.clock.nowMs();
  await on.movedByOthers(MAIN, await one.head());
  one.config = one.configured({
    deploy: {
      forge: 'github',
      github: {
        ...{ repository: hub.repository, api: hub.api, appId: APP_ID, keyFile: hub.keyFile },
        ...{ installationId: INSTALLATION_ID, draftPulls: true },
        people: [{ userId: ANN.id, person: 'ann@example.org' }],
        ...changes,
      },
    },
  });
  const ports = () => one.ports({ forgeWorld: { ...on.world, clock: one.clock } });
  const run = async () => {
    one.clock.advance(3 * MINUTE_MS);
    await one.run(one.loop({ forgeWorld: { ...on.world, clock: one.clock } }));
  };
  const send = async () => {
    const { store, clock, config } = one;
    const destinations = loopDestinations(ports(), { write: () => {}, secret: () => undefined });
    await deliver(destinations, {
      ...{ store, clock, random: seededRandom(1), holder: 'sender', outbox: config.outbox },
      allowedSteps: () => one.killSwitch.allowedSteps(),
    });
  };
  const state = async () => (await one.single()).proposal.state;
  const loop = one.loop({ forgeWorld: { ...on.world, clock: one.clock } });
  await one.propose(loop);
  return { ...on, one, ports, run, send, state };
}

describe('somebody else on GitHub, with PostgreSQL', () => {
  // In memory a later test has it; each of these takes seconds.
  const openWorld = worldPerTest('postgres');

  test('merges it: it is told at once, and watched', async () => {
    const at = await story({}, openWorld);
    const { hub, one } = at;
    await at.send();
    hub.merge(hub.pulls[0]!.number, 'squash');
    await at.run();
    expect(await at.state()).toBe('monitoring');
    const { attestations, proposal } = await one.single();
    expect(latest(attestations, 'deployment', proposal.digest)?.verdict).toBe('outside');
    expect(latestDecision(attestations, proposal.digest)).toBeUndefined();
    // The watch has begun, from when the branch moved.
    await at.run();
    expect((await readWatch(one.store, proposal.id))?.startedAtMs).toBeLessThanOrEqual(
      one.clock.nowMs(),
    );
  });
});

describe('a change on GitHub', () => {
  test('DEP-2 it is published, decided by a review, merged and watched', async () => {
    const at = await story();
    const { hub, one } = at;
    expect(await at.state()).toBe('pending');
    await at.send();
    await at.send();
    expect(hub.pulls).toMatchObject([{ draft: true, title: expect.stringMatching(/^\[Hone\] /) }]);
    expect(hub.labels).toEqual([[hub.pulls[0]!.number, ['hone']]]);
    await at.run();
    expect(await at.state()).toBe('pending');
    const head = hub.at(hub.pulls[0]!.head)!;
    hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    await at.run();
    expect(await at.state()).toBe('monitoring');
    expect(hub.at('main')).toBe(head);
    const { attestations, proposal } = await one.single();
    expect(latestDecision(attestations, proposal.digest)).toMatchObject({
      actor: { kind: 'human', id: 'ann@example.org', verified: 'forge' },
      target: { forge: 'github', repository: hub.gitUrl },
    });
    expect(hub.violations).toEqual([]);
  });

  test('DEP-7 a program opens the pull request of an approved change, once, with the decided bytes', async () => {
    const at = await story({ draftPulls: false });
    const { hub, one } = at;
    const { proposal, content } = await one.single();
    const { id } = proposal;
    const act = (asked: Delivery) => deliverAction(id, asked, { actor: CODER, ports: at.ports() });
    const patch = Buffer.from((await readArtifact(one.store, content.diffDigest)).content);
    const write = {
      ...{ action: 'write_patch' as const, baseCommit: content.baseCommit },
      patch: patch.toString(),
    };
    for (const asked of [write, { action: 'open_pr' as const }])
      expect(await act(asked)).toMatchObject({
        done: false,
        why: expect.stringMatching(/^It is pending/),
      });
    const decision = { verdict: 'approved', reason: 'it helps' } as const;
    await decideByHand(id, decision, { actor: OPERATOR, ports: at.ports() });
    expect(await act({ action: 'open_pr' })).toMatchObject({ done: false });
    expect(hub.pulls).toEqual([]);
    const written = await act(write);
    expect(written).toMatchObject({ done: true });
    const opened = await act({ action: 'open_pr' });
    expect(await act({ action: 'open_pr' })).toEqual(opened);
    expect(hub.pulls).toMatchObject([
      { title: expect.stringMatching(/^\[Hone\] /), head: `hone/proposal-${id}`, base: 'main' },
    ]);
    const { number, head } = hub.pulls[0]!;
    expect(opened).toMatchObject({
      done: true,
      commit: hub.at(head),
      pull: { url: `${hub.url}/${hub.repository}/pull/${number}` },
    });
    expect(hub.at(head)).toBe(written.commit);
    expect(hub.violations).toEqual([]);
    const actions = (await recorded(one.store)).filter(({ type }) => type === 'deploy.action');
    expect(actions.map(({ actor, data }) => [actor.id, data['action'], data['outcome']])).toEqual([
      [CODER.id, 'write_patch', 'refused'],
      [CODER.id, 'open_pr', 'refused'],
      [CODER.id, 'open_pr', 'refused'],
      [CODER.id, 'write_patch', 'done'],
      [CODER.id, 'open_pr', 'done'],
      [CODER.id, 'open_pr', 'done'],
    ]);
    // Hone goes on with the same commit.
    await at.run();
    expect([await at.state(), hub.at('main')]).toEqual(['monitoring', written.commit]);
  });

  test('PROP-7 a change that would open one pull request too many in a day waits, and says until when', async () => {
    const at = await story();
    const { hub, one } = at;
    await at.send();
    const openedMs = one.clock.nowMs();
    one.config = { ...one.config, limits: { ...one.config.limits, pullRequestsPerDay: 1 } };
    const { id } = (await one.single()).proposal;
    const forgeWorld = { ...at.world, clock: one.clock };
    const states = async () => {
      const all = await listProposals(one.store, { limit: 10 });
      return all.map((each) => (each.id === id ? `first ${each.state}` : each.state)).sort();
    };
    await one.addClerk();
    await at.movedByOthers(MAIN, await one.head());
    await one.loop({ forgeWorld }).startCycle('human');
    await at.run();
    await at.send();
    expect(await states()).toEqual(['first pending', 'validated']);
    expect(hub.pulls).toHaveLength(1);
    const surrounding = { nowMs: one.clock.nowMs(), stopped: false };
    const waiting = (await waitingProposals(one.store, surrounding)).map(({ why }) => why);
    const until = isoTime(openedMs + DAY_MS)
      .slice(0, 16)
      .replace('T', ' ');
    expect(waiting).toContainEqual(
      `It waits: 1 pull request was opened in 24 hours; the limit is 1 (limits.pullRequestsPerDay). It goes on at ${until} UTC.`,
    );
    one.clock.advance(openedMs + DAY_MS - one.clock.nowMs() - 10 * MINUTE_MS);
    await at.run();
    expect(await states()).toEqual(['first pending', 'validated']);
    // The first one's base moved meanwhile: it has its pull request, and waits for nothing.
    await at.movedByOthers(MAIN, await one.commit('README.md', 'theirs'));
    await at.run();
    expect(await states()).toEqual(['first pending', 'validated']);
    one.clock.advance(10 * MINUTE_MS);
    await at.run();
    await at.send();
    expect(await states()).toEqual(['first pending', 'pending']);
    expect(hub.pulls).toHaveLength(2);
  });

  test('a review that was dismissed between the decision and the merge does not deploy', async () => {
    const at = await story();
    const { hub } = at;
    await at.send();
    const review = hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    const base = hub.at('main');
    let looks = 0;
    hub.fault = (method, path) => {
      if (method === 'GET' && path.endsWith('/reviews') && ++looks === 2)
        review.state = 'DISMISSED';
      return undefined;
    };
    await at.run();
    expect(looks).toBeGreaterThanOrEqual(2);
    expect(hub.at('main')).toBe(base);
    expect(await at.state()).toBe('pending');
  });

  test('somebody who is not listed decides nothing, and a GitHub that fails is asked again', async () => {
    const at = await story();
    const { hub } = at;
    await at.send();
    hub.review(hub.pulls[0]!.number, BEN, 'APPROVED');
    await at.run();
    expect(await at.state()).toBe('pending');
    hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    hub.fault = (_method, path) => (path.includes('/pulls') ? { status: 503 } : undefined);
    await at.run();
    expect(await at.state()).toBe('pending');
    hub.fault = undefined;
    await at.run();
    expect(await at.state()).toBe('monitoring');
  });

  test('a review that is withdrawn right before the move ends the deployment and asks again', async () => {
    const at = await story();
    const { hub, one } = at;
    await at.send();
    const review = hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    const base = hub.at('main');
    let looks = 0;
    hub.fault = (method, path) => {
      // Read for the decision, before the backup by the record and by the gate, and before the move.
      if (method === 'GET' && path.endsWith('/reviews') && ++looks === 4)
        review.state = 'DISMISSED';
      return undefined;
    };
    await at.run();
    expect(looks).toBeGreaterThanOrEqual(4);
    expect(hub.at('main')).toBe(base);
    const all = await listProposals(one.store, { limit: 10 });
    const states = all.map(({ state }) => state).sort();
    expect(states).toEqual(['aborted', 'pending']);
    expect(all[0]!.digest).toBe(all[1]!.digest);
  });

  const harmful = async () => {
    const at = await story();
    const { hub, one } = at;
    await at.send();
    hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    await at.run();
    await at.run();
    expect(await at.state()).toBe('monitoring');
    one.clock.advance(60 * MINUTE_MS);
    one.files.text += traffic({
      untilMs: one.clock.nowMs(),
      overMs: 50 * MINUTE_MS,
      failEvery: 2,
    });
    return at;
  };
  const notices = async ({ one: { store } }: Story) =>
    [
      ...(await store.all('SELECT payload AS text FROM outbox_effects')),
      ...(await store.all('SELECT title, text, severity FROM notify_pending')),
    ].map((row) => JSON.stringify(row));

  test('MON-2 harm is taken back there where Hone may push, and the time is told', async () => {
    const at = await harmful();
    const { hub, one } = at;
    await at.run();
    expect(await at.state()).toBe('reverted');
    expect(await one.fileAt(hub.at('main')!)).toBe(AGENT);
    const said = (await notices(at)).find((text) => text.includes('Taken back'));
    expect(said).toMatch(/\d+ s after it was requested/);
    expect(hub.pulls.filter(({ head }) => head.includes('revert'))).toEqual([]);
  });

  test('MON-2 where Hone may not, a pull request takes it back, an operator is told which, and how long it took', async () => {
    const at = await harmful();
    const { hub, one } = at;
    hub.protect('main');
    hub.needsReview = true;
    await at.run();
    await at.run();
    expect(await at.state()).toBe('monitoring');
    const [pull, ...more] = hub.pulls.filter(({ head }) => head.includes('revert'));
    expect([pull?.state, more]).toEqual(['open', []]);
    const failed = (await notices(at)).filter((text) => text.includes('NOT taken back'));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('critical');
    expect(failed[0]).toContain(`pull request #${pull!.number}`);
    one.clock.advance(20 * MINUTE_MS);
    hub.merge(pull!.number, 'squash');
    await at.run();
    expect(await at.state()).toBe('reverted');
    expect(await one.fileAt(hub.at('main')!)).toBe(AGENT);
    const said = (await notices(at)).find((text) => text.includes('Taken back'));
    expect(said).toMatch(/\d+ s after it was requested, which is late/);
    expect(hub.violations).toEqual([]);
  });

  test('merged by somebody after it was rejected, it is found, told and watched', async () => {
    const at = await story();
    const { hub, one } = at;
    await at.send();
    const { proposal } = await one.single();
    const decision = { verdict: 'rejected', reason: 'no' } as const;
    await decideByHand(proposal.id, decision, { actor: OPERATOR, ports: at.ports() });
    await at.run();
    expect(await at.state()).toBe('rejected');
    hub.merge(hub.pulls[0]!.number, 'squash');
    one.clock.advance(3_600_000);
    await at.run();
    expect(await at.state()).toBe('monitoring');
    const { attestations } = await one.single();
    expect(latest(attestations, 'deployment', proposal.digest)?.verdict).toBe('outside');
  });

  test('what somebody merges while it is paused is found, told and watched', async () => {
    const at = await story();
    const { hub, one } = at;
    await at.send();
    const { id } = (await one.single()).proposal;
    const options = { actor: OPERATOR, ports: at.ports() };
    await setAsideByHand(id, { act: 'pause', reason: 'wait' }, options);
    await at.run();
    expect(await at.state()).toBe('pending');
    hub.merge(hub.pulls[0]!.number, 'squash');
    await at.run();
    expect(await at.state()).toBe('monitoring');
    const { attestations, proposal } = await one.single();
    expect(latest(attestations, 'deployment', proposal.digest)?.verdict).toBe('outside');
  });

  test('whoever only looks is told the address that it goes to, not the name of the remote', async () => {
    const at = await story();
    const { one, hub } = at;
    const ports = { ...one.ports(), repository: at.forge.repository as TargetRepository };
    expect((await targetOf(ports)).repository).toBe(hub.gitUrl);
  });

  test('nothing is published while everything is stopped', async () => {
    const at = await story();
    const actor = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
    await at.one.killSwitch.stop(actor, 'harm', 'command');
    await at.send();
    expect(at.hub.pulls).toEqual([]);
  });

  test('nothing is published where no operator allowed it', async () => {
    const at = await story({ draftPulls: false });
    await at.send();
    await at.run();
    expect(at.hub.pulls).toEqual([]);
    expect(await at.state()).toBe('pending');
  });
});
