import { afterEach, describe, expect, test } from 'vitest';
import { ANN, APP_USER, BEN, GitHubStandIn } from '../../../../test/github/stand-in.ts';
import { storePerTest } from '../../../../test/timed-store.ts';
import { ManualClock } from '../../../base/index.ts';
import type { TargetRepository } from '../../../git/index.ts';
import { git, temporaryFolder } from '../../../git/test-repositories.ts';
import { evidenceDigest, latest } from '../../../proposal/index.ts';
import { apply } from '../../apply.ts';
import { type DeployWorld, MAIN, makeWorld } from '../../deployments.test-support.ts';
import { mergedOutside } from '../../outside.ts';
import { askedReview } from '../../pull-requests.ts';
import { revertStep } from '../../revert.ts';
import type { DeployPorts, PullDraft } from '../../types.ts';
import { NO_ACCESS } from '../remote/remotes.test-support.ts';
import { appProof } from './access.ts';
import { type OnGitHub, type OnGitHubOptions, onGitHub } from './github.test-support.ts';
import { github } from './github.ts';

const STRANGER = { id: 4242, login: 'stranger', type: 'User' } as const;
const open = storePerTest('memory');
const made: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one[Symbol.asyncDispose]();
});

interface Story extends OnGitHub {
  readonly one: DeployWorld;
  readonly ports: Partial<DeployPorts>;
  readonly draft: PullDraft;
  take(): Promise<void>;
}

/** An approved change; its pull request is not published yet. */
async function story(options: OnGitHubOptions = {}): Promise<Story> {
  const on = await onGitHub(options);
  made.push(on);
  const one = await makeWorld(open(), on.forge.repository as TargetRepository);
  await on.movedByOthers(MAIN, one.base);
  const ports = { forge: 'github', openForge: () => on.forge };
  const dossier = await one.dossier();
  const { proposal, content, attestations } = dossier;
  const asked = (await askedReview(dossier, one.ports(ports)))!;
  expect(asked.evidenceDigest).toBe(evidenceDigest(attestations, proposal.digest));
  const draft: PullDraft = {
    ...asked,
    proposalId: proposal.id,
    contentDigest: proposal.digest,
    title: `${content.title} @everyone fixes #1`,
    rationale: 'It times out.\n- [ ] <!-- x --> @ann ![i](http://evil.example/x.png)',
    proof: ['policy: passed'],
    isProven: true,
    examples: ['web_search timed out for customer 17'],
    howToDecide: 'Approve it.',
  };
  const take = async () => one.take((await one.next(ports))!);
  return { ...on, one, ports, draft, take };
}

const reviewsOf = ({ forge }: Story) => forge.reviews!;

describe('publishing', () => {
  test('one draft pull request with a check run on its head, however often and killed anywhere', async () => {
    const at = await story();
    const { hub, draft } = at;
    const posts = ['/pulls', '/check-runs', '/labels'];
    for (const path of posts) {
      let isDropped = false;
      hub.fault = (method, asked) => {
        if (isDropped || method !== 'POST' || !asked.endsWith(path)) return undefined;
        isDropped = true;
        return 'drop after';
      };
      await reviewsOf(at)
        .publish(draft)
        .catch(() => undefined);
    }
    hub.fault = undefined;
    const first = await reviewsOf(at).publish(draft);
    expect(await reviewsOf(at).published(draft)).toEqual(first);
    expect(hub.pulls).toMatchObject([{ draft: true, base: 'main', user: APP_USER }]);
    expect(hub.at(hub.pulls[0]!.head)).toBe(draft.commit);
    expect(hub.checks).toMatchObject([
      { head_sha: draft.commit, external_id: draft.evidenceDigest, conclusion: 'success' },
    ]);
    expect(first).toMatchObject({ isChecked: true, url: expect.stringContaining('/pull/') });
    expect(hub.violations).toEqual([]);
  });

  test('its text mentions, closes, links and hides nothing', async () => {
    const at = await story();
    await reviewsOf(at).publish(at.draft);
    const { title, body } = at.hub.pulls[0]!;
    expect(`${title}\n${body}`).not.toMatch(/@\w|#\d|!\[|<!--|https?:\/\//);
    expect(title).toMatch(/^\[Hone\] /);
    expect(body).toContain(at.draft.evidenceDigest);
  });

  test('a public repository gets no examples', async () => {
    const at = await story();
    await reviewsOf(at).publish(at.draft);
    expect(at.hub.pulls[0]!.body).toContain('customer 17');
    at.hub.facts.private = false;
    await reviewsOf(at).publish(at.draft);
    expect(at.hub.pulls[0]!.body).not.toContain('customer 17');
  });

  test('an edited title and text are put right; a stranger’s branch is left alone', async () => {
    const at = await story();
    await reviewsOf(at).publish(at.draft);
    const row = at.hub.pulls[0]!;
    const { title, body } = row;
    Object.assign(row, { title: 'free money', body: 'merge me' });
    await reviewsOf(at).publish(at.draft);
    expect(row).toMatchObject({ title, body });
    const other = await story();
    const { head } = at.hub.pulls[0]!;
    const stranger = git(other.target, ['commit-tree', '-m', 'mine', `${other.one.base}^{tree}`]);
    await other.movedByOthers(`refs/heads/${head.replace(at.one.id, other.one.id)}`, stranger);
    await expect(reviewsOf(other).publish(other.draft)).rejects.toMatchObject({
      code: 'forge_refused',
    });
    expect(other.hub.pulls).toEqual([]);
  });

  test('with a bot’s token there is a pull request, and no review counts', async () => {
    const at = await story({ as: 'bot' });
    const { hub, draft } = at;
    expect(await reviewsOf(at).publish(draft)).toMatchObject({ isChecked: false });
    hub.review(hub.pulls[0]!.number, ANN, 'APPROVED');
    expect(await reviewsOf(at).judge(draft)).toMatchObject({ is: 'waiting' });
    expect(hub.violations).toEqual([]);
  });

  test('it is closed when it is over', async () => {
    const at = await story();
    await reviewsOf(at).publish(at.draft);
    await reviewsOf(at).close(at.draft);
    expect(at.hub.pulls[0]!.state).toBe('closed');
    expect(await reviewsOf(at).judge(at.draft)).toMatchObject({ is: 'waiting' });
  });
});

describe('a review', () => {
  test('of the published head decides, and no longer after a push', async () => {
    const at = await story();
    const { hub, draft, target, one } = at;
    expect(await reviewsOf(at).judge(draft)).toBeUndefined();
    await reviewsOf(at).publish(draft);
    const { number, head } = hub.pulls[0]!;
    const review = hub.review(number, ANN, 'APPROVED');
    expect(await reviewsOf(at).judge(draft)).toMatchObject({
      is: 'approved',
      approvals: [{ person: 'ann@example.org', review: review.id }],
    });
    expect(await reviewsOf(at).judge({ ...draft, evidenceDigest: 'sha256:other' })).toMatchObject({
      is: 'waiting',
    });
    const tree = `${draft.commit}^{tree}`;
    const pushed = git(target, ['commit-tree', '-m', 'more', '-p', one.base, tree]);
    await at.movedByOthers(`refs/heads/${head}`, pushed);
    expect(await reviewsOf(at).judge(draft)).toMatchObject({ is: 'waiting' });
    hub.review(number, BEN, 'APPROVED');
    expect(await reviewsOf(at).judge(draft)).toMatchObject({ is: 'waiting' });
  });
});

describe('a deployment', () => {
  test('where pushing is allowed the branch is fast-forwarded to the reviewed commit', async () => {
    const at = await story();
    await reviewsOf(at).publish(at.draft);
    await at.take();
    await at.take();
    expect(at.hub.at('main')).toBe(at.draft.commit);
    expect(await at.one.state()).toBe('monitoring');
    await at.take();
    await at.take();
    expect(await at.one.state()).toBe('reverted');
    expect(at.hub.violations).toEqual([]);
  });

  test.each(['merge', 'squash', 'rebase'] as const)(
    'on a protected branch the pull request is merged by %s, and taken back by another',
    async (method) => {
      const at = await story();
      const { hub, one, draft } = at;
      hub.protect('main');
      Object.assign(hub.facts, {
        allow_merge_commit: method === 'merge',
        allow_squash_merge: method !== 'merge',
        allow_rebase_merge: method === 'rebase',
      });
      await reviewsOf(at).publish(draft);
      await at.take();
      await at.take();
      expect(await one.state()).toBe('monitoring');
      const landed = hub.at('main')!;
      expect(landed).not.toBe(draft.commit);
      expect(git(hub.bare, ['rev-parse', `${landed}^{tree}`])).toBe(
        git(hub.bare, ['rev-parse', `${draft.commit}^{tree}`]),
      );
      expect(hub.asked.some((line) => line.includes('/merge'))).toBe(true);
      await at.take();
      await at.take();
      if ((await one.state()) !== 'reverted') await at.take();
      expect(await one.state()).toBe('reverted');
      expect(git(hub.bare, ['rev-parse', 'main^{tree}'])).toBe(
        git(hub.bare, ['rev-parse', `${one.base}^{tree}`]),
      );
      expect(hub.pulls.map(({ head }) => head)).toEqual([
        `hone/proposal-${one.id}`,
        `hone/revert-${one.id}`,
      ]);
      expect(hub.violations).toEqual([]);
    },
  );

  test('a rollback that needs a person’s merge opens one pull request, and says so once', async () => {
    const at = await story();
    const { hub, one } = at;
    await reviewsOf(at).publish(at.draft);
    await at.take();
    await at.take();
    hub.protect('main');
    hub.needsReview = true;
    await at.take();
    const before = (await one.dossier()).attestations.length;
    await at.take();
    await at.take();
    expect(await one.state()).toBe('monitoring');
    expect((await one.dossier()).attestations.length).toBe(before + 1);
    const open = hub.pulls.filter(({ state, head }) => state === 'open' && head.includes('revert'));
    expect(open).toHaveLength(1);
    hub.merge(open[0]!.number, 'squash');
    await at.take();
    expect(await one.state()).toBe('reverted');
  });

  test('bytes that differ after a merge are taken back at once', async () => {
    const at = await story();
    const { hub, one, target } = at;
    hub.protect('main');
    await reviewsOf(at).publish(at.draft);
    await at.take();
    // The base moves between Hone's last look and GitHub's merge.
    hub.fault = (method, path) => {
      if (method === 'PUT' && path.endsWith('/merge')) {
        hub.fault = undefined;
        const blob = git(target, ['hash-object', '-w', '--stdin'], 'other\n');
        const tree = git(
          target,
          ['mktree'],
          `${git(target, ['ls-tree', one.base])}\n100644 blob ${blob}\tsneaked\n`,
        );
        const theirs = git(target, ['commit-tree', '-m', 'theirs', '-p', one.base, tree]);
        git(target, ['push', '-q', hub.bare, `${theirs}:refs/heads/kept`]);
        git(hub.bare, ['update-ref', 'refs/heads/main', theirs]);
      }
      return undefined;
    };
    await at.take();
    const { attestations, proposal } = await one.dossier();
    expect(latest(attestations, 'deployment', proposal.digest)?.verdict).toBe('outside');
    expect(latest(attestations, 'monitoring', proposal.digest)?.verdict).toBe('degraded');
    for (let steps = 0; steps < 3 && (await one.state()) !== 'reverted'; steps++) await at.take();
    expect(await one.state()).toBe('reverted');
    expect(git(hub.bare, ['show', 'main:sneaked'])).toBe('other');
    expect(git(hub.bare, ['show', 'main:agents/search.yaml'])).toContain('wait: 10');
  });

  test('a merge by somebody else is deployed outside, watched, and can be taken back', async () => {
    const at = await story();
    const { hub, one } = at;
    await reviewsOf(at).publish(at.draft);
    hub.merge(hub.pulls[0]!.number, 'squash');
    const step = await mergedOutside(await one.dossier(), at.forge, one.ports(at.ports));
    expect(step).toMatchObject({
      to: 'monitoring',
      attestations: [{ kind: 'deployment', verdict: 'outside' }],
      entries: [{ type: 'deploy.moved_outside' }],
    });
    await one.take(step!);
    await at.take();
    await at.take();
    expect(await one.state()).toBe('reverted');
    expect(git(hub.bare, ['rev-parse', 'main^{tree}'])).toBe(
      git(hub.bare, ['rev-parse', `${one.base}^{tree}`]),
    );
  });
});

describe('DEP-2 checks of others', () => {
  /** Prepared, with what `main` requires. */
  async function requiring(required: { protection?: string[]; rules?: string[] }) {
    const at = await story();
    at.hub.required.protection.push(...(required.protection ?? []));
    at.hub.required.rules.push(...(required.rules ?? []));
    await at.take();
    const look = async () => {
      const step = (await at.one.next(at.ports))!;
      await at.one.take(step);
      return { said: step.did, state: await at.one.state() };
    };
    return { at, look };
  }

  test('that protection or rules require must be green before the branch moves', async () => {
    const { at, look } = await requiring({ protection: ['ci'], rules: ['lint'] });
    const { hub, draft, one } = at;
    const held = (words: string) => ({
      said: expect.stringContaining(
        `main requires checks that are not green on ${draft.commit.slice(0, 12)}: ${words}.`,
      ),
      state: 'deploying',
    });
    expect(await look()).toEqual(held('ci has not begun, lint has not begun'));
    // They have something to run on.
    expect(hub.pulls).toMatchObject([{ state: 'open', head: `hone/proposal-${one.id}` }]);
    hub.check(draft.commit, 'ci', null);
    hub.check(draft.commit, 'lint', 'failure');
    expect(await look()).toEqual(held('ci has not ended, lint failed'));
    // What is said of another commit says nothing.
    hub.check(one.base, 'ci', 'success');
    hub.check(draft.commit, 'lint', 'skipped');
    expect(await look()).toEqual(held('ci has not ended'));
    expect(hub.at('main')).toBe(one.base);
    hub.check(draft.commit, 'ci', 'success');
    expect((await look()).state).toBe('monitoring');
    expect([hub.at('main'), hub.pulls.length]).toEqual([draft.commit, 1]);
    expect(hub.violations).toEqual([]);
  });

  test('by statuses as well, and the worst of a name counts', async () => {
    const { at, look } = await requiring({ protection: ['build'] });
    const { hub, draft } = at;
    const status = { commit: draft.commit, context: 'build', state: 'pending' };
    hub.statuses.push(status);
    expect((await look()).said).toContain('build has not ended');
    status.state = 'error';
    expect((await look()).said).toContain('build failed');
    hub.check(draft.commit, 'build', 'success');
    expect((await look()).said).toContain('build failed');
    status.state = 'success';
    expect((await look()).state).toBe('monitoring');
  });

  test('that nobody requires hold nothing, and a rollback waits for none', async () => {
    const { at, look } = await requiring({});
    const { hub, draft, one } = at;
    hub.check(draft.commit, 'flaky', 'failure');
    expect((await look()).state).toBe('monitoring');
    hub.required.rules.push('ci');
    for (let step = 0; step < 3 && (await one.state()) !== 'reverted'; step++) await at.take();
    expect(await one.state()).toBe('reverted');
    expect(git(hub.bare, ['rev-parse', 'main^{tree}'])).toBe(
      git(hub.bare, ['rev-parse', `${one.base}^{tree}`]),
    );
  });

  test('that cannot be read hold it, and a server without rules has none', async () => {
    const { at, look } = await requiring({ protection: [] });
    const { hub, one } = at;
    hub.fault = (_, path) => (path.includes('/rules/') ? { status: 403 } : undefined);
    await look().catch(() => undefined);
    expect([await one.state(), hub.at('main')]).toEqual(['deploying', one.base]);
    hub.fault = (_, path) => (path.includes('/rules/') ? { status: 404 } : undefined);
    expect((await look()).state).toBe('monitoring');
  });
});

describe('what somebody else does with a published change', () => {
  test('a rebase of several commits is taken back as a whole', async () => {
    const at = await story();
    const { hub, one, draft } = at;
    await reviewsOf(at).publish(draft);
    const { head } = hub.pulls[0]!;
    const blob = git(hub.bare, ['hash-object', '-w', '--stdin'], 'more\n');
    git(hub.bare, ['read-tree', draft.commit]);
    git(hub.bare, ['update-index', '--add', '--cacheinfo', `100644,${blob},more.txt`]);
    const tree = git(hub.bare, ['write-tree']);
    const second = git(hub.bare, ['commit-tree', tree, '-m', 'more', '-p', draft.commit]);
    git(hub.bare, ['update-ref', `refs/heads/${head}`, second]);
    hub.merge(hub.pulls[0]!.number, 'rebase');
    const step = await mergedOutside(await one.dossier(), at.forge, one.ports(at.ports));
    await one.take(step!);
    await at.take();
    await at.take();
    expect(await one.state()).toBe('reverted');
    expect(git(hub.bare, ['rev-parse', 'main^{tree}'])).toBe(
      git(hub.bare, ['rev-parse', `${one.base}^{tree}`]),
    );
  });

  test('a merge while it is deploying counts as Hone’s own only while its decision does', async () => {
    for (const why of [undefined, 'its review no longer counts']) {
      const at = await story();
      const { hub, one } = at;
      await reviewsOf(at).publish(at.draft);
      await at.take();
      expect(await one.state()).toBe('deploying');
      hub.merge(hub.pulls[0]!.number, 'squash');
      const ports = one.ports({ ...at.ports, undecided: async () => why });
      const step = await apply(await one.dossier(), ports);
      expect(step).toMatchObject({
        to: 'monitoring',
        attestations: [{ kind: 'deployment', verdict: why === undefined ? 'done' : 'outside' }],
      });
    }
  });

  test('many long reviews by strangers do not hide that of somebody listed', async () => {
    const at = await story();
    const { hub, draft } = at;
    await reviewsOf(at).publish(draft);
    const { number } = hub.pulls[0]!;
    for (let count = 0; count < 120; count++)
      hub.review(number, STRANGER, 'COMMENTED', draft.commit);
    hub.reviewBody = '\u0001'.repeat(30_000);
    hub.review(number, ANN, 'APPROVED');
    expect(await reviewsOf(at).judge(draft)).toMatchObject({ is: 'approved' });
  });

  test('a rollback goes where it was deployed, whatever is configured since', async () => {
    const at = await story();
    const { hub, one } = at;
    await reviewsOf(at).publish(at.draft);
    hub.merge(hub.pulls[0]!.number, 'squash');
    await one.take((await mergedOutside(await one.dossier(), at.forge, one.ports(at.ports)))!);
    const asked: (string | undefined)[] = [];
    const openForge = (_: string, place?: string) => {
      asked.push(place);
      return at.forge;
    };
    await revertStep(await one.dossier(), one.ports({ ...at.ports, openForge }), {
      reason: 'harm',
      calledAtMs: 0,
    });
    expect(asked).toEqual([hub.gitUrl]);
  });

  test('moving the branch to its commit is deployed outside, too', async () => {
    const at = await story();
    const { hub, one, draft } = at;
    await reviewsOf(at).publish(draft);
    git(hub.bare, ['update-ref', 'refs/heads/main', draft.commit]);
    const step = await mergedOutside(await one.dossier(), at.forge, one.ports(at.ports));
    expect(step).toMatchObject({
      to: 'monitoring',
      attestations: [{ kind: 'deployment', verdict: 'outside' }],
    });
  });
});

describe('a GitHub that fails', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const FAULTS = [
    ['a token that is not valid', { status: 401 }, 'forge_refused', undefined],
    ['a missing permission', { status: 403 }, 'forge_refused', undefined],
    ['a deleted repository', { status: 404 }, 'forge_refused', undefined],
    [
      'a renamed repository',
      { status: 301, headers: { location: 'http://127.0.0.1:1/x' } },
      'forge_refused',
      undefined,
    ],
    ['a conflict', { status: 409 }, 'forge_refused', undefined],
    ['what it does not accept', { status: 422 }, 'forge_refused', undefined],
    ['a server error', { status: 502 }, 'forge_failed', undefined],
    [
      'a secondary limit',
      { status: 403, headers: { 'retry-after': '30' } },
      'forge_limited',
      30_000,
    ],
    ['a secondary limit without a time', { status: 429 }, 'forge_limited', 60_000],
    [
      'a primary limit',
      {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${nowMs / 1000 + 90}` },
      },
      'forge_limited',
      90_000,
    ],
    [
      'a limit that would last for years',
      { status: 429, headers: { 'retry-after': '99999999' } },
      'forge_limited',
      3_600_000,
    ],
    [
      'an answer of another form',
      { status: 200, body: [{ number: 'one' }] },
      'forge_failed',
      undefined,
    ],
    ['an answer that is no JSON', { status: 200, body: undefined }, 'forge_failed', undefined],
  ] as const;

  test('what it answers is told, and nothing is decided', async () => {
    const clock = new ManualClock(nowMs);
    const at = await onGitHub({ as: 'bot', clock });
    made.push(at);
    const asked = {
      ...{ branch: MAIN, patchBranch: 'refs/heads/x' },
      ...{ commit: 'a'.repeat(40), evidenceDigest: '' },
    };
    for (const [name, fault, code, waitMs] of FAULTS) {
      at.hub.fault = (_method, path) => (path.includes('/pulls') ? fault : undefined);
      const error = await at.forge.reviews!.judge(asked).catch((thrown: unknown) => thrown);
      expect({ name, error }).toMatchObject({ name, error: { code } });
      expect((error as { retryAtMs?: number }).retryAtMs).toBe(waitMs && nowMs + waitMs);
      expect(String(error)).not.toContain('bot-token');
    }
  });

  test('one that hangs or breaks off is given up', async () => {
    const at = await onGitHub({
      as: 'bot',
      fetch: () => Promise.reject(new DOMException('late', 'AbortError')),
    });
    made.push(at);
    expect(await at.forge.hindrance(MAIN)).toMatch(/AbortError/);
    const other = await onGitHub({ as: 'bot' });
    made.push(other);
    other.hub.fault = (_method, path) => (path.startsWith('/api/') ? 'drop' : undefined);
    expect(await other.forge.hindrance(MAIN)).toMatch(/could not be asked/);
  });

  test('an archived repository is a hindrance', async () => {
    const at = await onGitHub();
    made.push(at);
    at.hub.facts.archived = true;
    expect(await at.forge.hindrance(MAIN)).toMatch(/archived/);
  });
});

describe('secrets', () => {
  test('the token reaches no host but the one that is configured', async () => {
    const at = await onGitHub();
    made.push(at);
    const { path, [Symbol.asyncDispose]: remove } = await temporaryFolder();
    made.push({ [Symbol.asyncDispose]: remove });
    const thief = await GitHubStandIn.open(path);
    made.push(thief);
    git(at.target, ['remote', 'set-url', 'origin', thief.gitUrl]);
    for (const work of [
      () => at.forge.resolve(MAIN),
      () => at.forge.move({ branch: MAIN, from: 'a'.repeat(40), to: 'b'.repeat(40) }),
      () => at.forge.keep(MAIN, { from: undefined, to: 'a'.repeat(40) }),
      () => at.forge.address!(),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'other_repository' });
    expect(thief.asked).toEqual([]);
  });

  test('an unusable key is not quoted', () => {
    expect(() => appProof(1, '-----BEGIN s3cret', 0)).toThrow(/^(?!.*s3cret).*$/s);
  });

  test.each([
    ['http://api.example.org', 'no_access'],
    ['https://user:pw@api.github.com', 'no_access'],
  ])('%s is not used', async (api, code) => {
    const at = await onGitHub();
    made.push(at);
    const { repository } = at.forge;
    const remote = { remote: 'origin', ...NO_ACCESS };
    const again = () =>
      github.open({ repository, remote, github: { ...at.settings, api }, world: at.world });
    expect(again).toThrow(expect.objectContaining({ code }));
  });
});
