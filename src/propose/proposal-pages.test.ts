import { describe, expect, test } from 'vitest';
import { makeContent } from '../../test/proposals.ts';
import type { Json } from '../base/index.ts';
import type { ProposalState } from '../facts/index.ts';
import type { TargetRepository } from '../git/index.ts';
import { openRepository } from '../git/index.ts';
import {
  commitFiles,
  git,
  initRepository,
  realRepository,
  rememberedRepository,
  temporaryFolder,
} from '../git/test-repositories.ts';
import type { Effect } from '../outbox/index.ts';
import { PAGES_BRANCH, type PagePorts, proposalPages } from './index.ts';
import { withParts } from './patterns.test-support.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const PAGE = 'proposals/2026/01/p_1-wait-longer-for-the-search-tool.md';
const never = new AbortController().signal;

/** Proposals as the store would have them. */
class Desk {
  readonly states = new Map<string, ProposalState>();
  titles = new Map<string, string>();

  constructor(ids: readonly string[] = ['p_1']) {
    for (const id of ids) this.states.set(id, 'draft');
  }

  ports(repository: TargetRepository): PagePorts {
    const proposal = (id: string) => {
      const title = this.titles.get(id) ?? makeContent().title;
      const state = this.states.get(id)!;
      return { id, title, createdAtMs: AT, changedAtMs: AT + 5000, state };
    };
    return {
      repository,
      author: { name: 'Hone', email: 'hone@localhost' },
      page: async (id) => ({
        proposal: proposal(id),
        content: makeContent({ title: proposal(id).title }),
        diffText: '-a\n+b\n',
        attestations: [],
        said: new Map(),
        beforeDecision: [],
      }),
      list: async () => [...this.states.keys()].map(proposal),
    };
  }
}

function effect(key: string, payload: Json): Effect {
  return {
    id: 1,
    key,
    destination: 'proposals-branch',
    step: 'propose',
    lane: 'news',
    state: 'sending',
    attempts: 1,
    dueAtMs: 0,
    payload,
    error: null,
    result: null,
    changedAtMs: 0,
  };
}

/** The commit that it made comes back as its result. */
const FOUND = { result: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) } };
const SENT = { outcome: 'delivered', ...FOUND };

const change = (version: number, state: ProposalState, proposal = 'p_1') =>
  effect(`page/${proposal}/${version}`, { proposal, version, state });

function destinationOf(ports: PagePorts) {
  const destination = proposalPages(ports);
  if (destination.kind !== 'findable') throw new Error('it must be findable');
  return destination;
}

async function text(repository: TargetRepository, path: string): Promise<string> {
  const tip = await repository.resolve(PAGES_BRANCH);
  return Buffer.from((await repository.readFile(tip!, path))!).toString();
}

describe.each([
  ['memory', rememberedRepository],
  ['git', realRepository],
])('PROP-5 the branch of pages on %s', (_, open) => {
  test('is made as an orphan, and grows by one commit for each change', async () => {
    await using opened = await open();
    const { repository } = opened;
    const main = await commitFiles(repository, undefined, { 'a.txt': 'a' });
    await repository.moveRef('refs/heads/main', main, undefined);
    const desk = new Desk();
    const pages = destinationOf(desk.ports(repository));
    expect(await pages.send(change(1, 'draft'), never)).toEqual(SENT);
    expect(await pages.send(change(2, 'vetted'), never)).toEqual(SENT);
    const tip = await repository.resolve(PAGES_BRANCH);
    const info = await repository.commitInfo(tip!);
    expect(info.message).toBe('proposal p_1: vetted\n\nHone-Effect: page/p_1/2\n');
    expect(info.author).toEqual({ name: 'Hone', email: 'hone@localhost', atMs: AT + 5000 });
    const first = await repository.commitInfo(info.parents[0]!);
    expect(first).toMatchObject({ parents: [] });
    const files = await repository.listFiles(tip!, '');
    expect(files.map(({ path }) => path)).toEqual([PAGE, 'proposals/index.md']);
    expect(await text(repository, PAGE)).toContain('**Status**: vetted');
    expect(await text(repository, 'proposals/index.md')).toContain('| vetted | medium |');
    expect(await repository.resolve('refs/heads/main')).toBe(main);
  });

  test('finds what it did, and only that', async () => {
    await using opened = await open();
    const { repository } = opened;
    const pages = destinationOf(new Desk().ports(repository));
    expect(await pages.find(change(1, 'draft'), never)).toBe(false);
    await pages.send(change(1, 'draft'), never);
    await pages.send(change(21, 'vetted'), never);
    expect(await pages.find(change(1, 'draft'), never)).toEqual(FOUND);
    expect(await pages.find(change(21, 'vetted'), never)).toEqual(FOUND);
    expect(await pages.find(change(2, 'vetted'), never)).toBe(false);
    // Words in the middle of a message are no trailer.
    const tip = await repository.resolve(PAGES_BRANCH);
    const info = await repository.commitInfo(tip!);
    const forged = await repository.commit({
      ...info,
      parents: [tip!],
      message: 'x\n\nHone-Effect: page/p_1/2\n\nmore\n',
    });
    await repository.moveRef(PAGES_BRANCH, forged, tip);
    expect(await pages.find(change(2, 'vetted'), never)).toBe(false);
    expect(await pages.find(change(1, 'draft'), never)).toEqual(FOUND);
  });

  test('two writers at once: both pages are there', async () => {
    await using opened = await open();
    const { repository } = opened;
    const ports = new Desk(['p_1', 'p_2', 'p_3']).ports(repository);
    const sent = await Promise.all(
      ['p_1', 'p_2', 'p_3'].map((id) => destinationOf(ports).send(change(1, 'draft', id), never)),
    );
    expect(sent).toEqual(Array.from({ length: 3 }, () => SENT));
    const tip = await repository.resolve(PAGES_BRANCH);
    expect(await repository.listFiles(tip!, 'proposals/2026')).toHaveLength(3);
  });
});

describe('the branch of pages', () => {
  test('PROP-5 never touches the working tree, the index or HEAD', async () => {
    await using folder = await temporaryFolder();
    initRepository(folder.path);
    git(folder.path, ['commit', '-q', '--allow-empty', '-m', 'first']);
    await using repository = await openRepository({ root: folder.path, durable: false });
    await destinationOf(new Desk().ports(repository)).send(change(1, 'draft'), never);
    expect(git(folder.path, ['status', '--porcelain', '--branch'])).toBe('## main');
    expect(git(folder.path, ['log', '--format=%s', 'hone/proposals'])).toBe('proposal p_1: draft');
  });

  test('a page keeps its file when its title changes, and others’ files stay', async () => {
    await using opened = await rememberedRepository();
    const { repository } = opened;
    const theirs = await commitFiles(repository, undefined, { 'README.md': 'ours' });
    await repository.moveRef(PAGES_BRANCH, theirs, undefined);
    const desk = new Desk();
    const pages = destinationOf(desk.ports(repository));
    await pages.send(change(1, 'draft'), never);
    desk.titles.set('p_1', 'Something else | <b>');
    await pages.send(change(2, 'draft'), never);
    const tip = await repository.resolve(PAGES_BRANCH);
    const files = (await repository.listFiles(tip!, '')).map(({ path }) => path);
    expect(files).toEqual(['README.md', PAGE, 'proposals/index.md']);
    expect(await text(repository, PAGE)).toContain('# Proposal: Something else \\| &lt;b&gt;');
  });

  test('the index lists every proposal as it is now, also when somebody spoilt it', async () => {
    await using opened = await rememberedRepository();
    const { repository } = opened;
    const desk = new Desk(['p_1', 'p_2', 'p_3']);
    const pages = destinationOf(desk.ports(repository));
    await pages.send(change(1, 'draft', 'p_1'), never);
    await pages.send(change(1, 'draft', 'p_2'), never);
    const tip = await repository.resolve(PAGES_BRANCH);
    const spoilt = await commitFiles(repository, tip, { 'proposals/index.md': '| rubbish |' });
    await repository.moveRef(PAGES_BRANCH, spoilt, tip);
    desk.states.set('p_2', 'implemented');
    await pages.send(change(2, 'vetted', 'p_1'), never);
    const index = await text(repository, 'proposals/index.md');
    expect(index).toMatch(/\[p_1\]\(2026\/01\/p_1-[a-z-]+\.md\) .* \| vetted \| medium \|/);
    expect(index).toMatch(/\[p_2\]\(2026\/01\/p_2-[a-z-]+\.md\) .* \| implemented \| medium \|/);
    expect(index).toMatch(/\| p_3 \| .* \| draft \| — \|/);
  });

  test('an older version that is sent late does not take a page back', async () => {
    await using opened = await rememberedRepository();
    const { repository } = opened;
    const pages = destinationOf(new Desk().ports(repository));
    await pages.send(change(5, 'pending'), never);
    const tip = await repository.resolve(PAGES_BRANCH);
    expect(await pages.send(change(3, 'vetted'), never)).toEqual({ outcome: 'delivered' });
    expect(await repository.resolve(PAGES_BRANCH)).toBe(tip);
  });

  test('what somebody else put there meanwhile is kept', async () => {
    await using opened = await rememberedRepository();
    const { repository } = opened;
    let interrupted = false;
    const shared = withParts(repository, {
      commit: async (draft) => {
        const made = await repository.commit(draft);
        if (interrupted) return made;
        interrupted = true;
        const theirs = await commitFiles(repository, undefined, { 'theirs.md': 'kept' });
        await repository.moveRef(PAGES_BRANCH, theirs, undefined);
        return made;
      },
    });
    const pages = destinationOf(new Desk().ports(shared));
    expect(await pages.send(change(1, 'draft'), never)).toEqual(SENT);
    expect(await text(repository, 'theirs.md')).toBe('kept');
    expect(await text(repository, PAGE)).toContain('**Status**: draft');
  });

  test('gives up after some moves by others, and says so', async () => {
    await using opened = await rememberedRepository();
    let moves = 0;
    const busy = withParts(opened.repository, {
      moveRef: async () => {
        moves += 1;
        return false;
      },
    });
    expect(await destinationOf(new Desk().ports(busy)).send(change(1, 'draft'), never)).toEqual({
      outcome: 'failed',
      error: expect.stringContaining('moved by others 5 times'),
      notDone: true,
    });
    expect(moves).toBe(5);
  });

  test('what git refuses is a failure that may be tried again', async () => {
    await using opened = await rememberedRepository();
    const { repository } = opened;
    const main = await commitFiles(repository, undefined, { a: 'a' });
    await repository.moveRef('refs/heads/hone', main, undefined);
    const pages = destinationOf(new Desk().ports(repository));
    expect(await pages.send(change(1, 'draft'), never)).toEqual({
      outcome: 'failed',
      error: expect.stringContaining('refs/heads/hone'),
    });
  });

  test.each([
    null,
    'p_1',
    { proposal: 'p_1', version: 1 },
    { proposal: 'p_1', version: 1.5, state: 'draft' },
    { proposal: 'p_1', version: 1, state: 'done' },
    { proposal: '../p', version: 1, state: 'draft' },
    { proposal: 'p-1', version: 1, state: 'draft' },
    { proposal: '', version: 1, state: 'draft' },
  ])('a payload that names nothing is refused for good: %j', async (payload) => {
    await using opened = await rememberedRepository();
    const pages = destinationOf(new Desk().ports(opened.repository));
    expect(await pages.send(effect('k', payload), never)).toMatchObject({
      outcome: 'failed',
      permanent: true,
    });
  });

  test('an aborted search or send ends', async () => {
    await using opened = await rememberedRepository();
    const pages = destinationOf(new Desk().ports(opened.repository));
    await pages.send(change(1, 'draft'), never);
    const gone = AbortSignal.abort();
    await expect(pages.find(change(1, 'draft'), gone)).rejects.toThrow();
    await expect(pages.send(change(2, 'draft'), gone)).rejects.toThrow();
  });
});
