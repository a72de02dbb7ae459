/**
 * The branch of pages: `proposals/YYYY/MM/<id>-<slug>.md` and `proposals/index.md`, one commit for each
 * change of a proposal. The working tree is never touched; the ref moves only from where it was read.
 * Findable: each commit names the effect that made it.
 */
import { isoTime, type Json } from '../base/index.ts';
import { PROPOSAL_STATES, type ProposalState } from '../facts/index.ts';
import { type CommitId, GitError, type TargetRepository } from '../git/index.ts';
import type { Destination, Effect, Sent } from '../outbox/index.ts';
import { readSeverities, renderIndex } from './render-index.ts';
import { readHead, renderPage } from './render-page.ts';
import type { IndexRow, PagePorts } from './types.ts';
import { shown } from './wording.ts';

export const PAGES_BRANCH = 'refs/heads/hone/proposals';
const FOLDER = 'proposals';
const INDEX = `${FOLDER}/index.md`;
const TRAILER = 'Hone-Effect';
/** Somebody else may move the branch between our read and our move. */
const MOVES_MAX = 5;
const COMMITS_SEARCHED_MAX = 500;
/** Pages whose severity is looked up in one go, where the index lost them. */
const PAGES_READ_MAX = 50;

interface PageChange {
  readonly proposal: string;
  readonly version: number;
  readonly state: ProposalState;
}

export function proposalPages(ports: PagePorts): Destination {
  return {
    name: 'proposals-branch',
    kind: 'findable',
    send: (effect, signal) => send(effect, signal, ports),
    find: (effect, signal) => find(effect.key, signal, ports.repository),
  };
}

async function send(effect: Effect, signal: AbortSignal, ports: PagePorts): Promise<Sent> {
  const change = changeOf(effect.payload);
  if (change === undefined) {
    const error = 'The effect names no proposal, version and state.';
    return { outcome: 'failed', error, permanent: true };
  }
  try {
    const page = await ports.page(change.proposal, change.version);
    for (let tries = 0; tries < MOVES_MAX; tries++) {
      signal.throwIfAborted();
      const commit = await commitPage(effect.key, change, page, ports);
      if (commit === 'newer') return { outcome: 'delivered' };
      if (commit !== undefined) return { outcome: 'delivered', result: { commit } };
    }
    const error = `The branch ${PAGES_BRANCH} was moved by others ${MOVES_MAX} times in a row.`;
    return { outcome: 'failed', error, notDone: true };
  } catch (error) {
    if (error instanceof GitError) return { outcome: 'failed', error: shown(error.message, 400) };
    throw error;
  }
}

function changeOf(payload: Json): PageChange | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { proposal, version, state } = payload as Record<string, Json | undefined>;
  // The id becomes part of a path, up to its first hyphen.
  if (typeof proposal !== 'string' || !/^[A-Za-z0-9_]{1,100}$/.test(proposal)) return undefined;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0)
    return undefined;
  const known = PROPOSAL_STATES.find((one) => one === state);
  return known === undefined ? undefined : { proposal, version, state: known };
}

type Page = Awaited<ReturnType<PagePorts['page']>>;

/** The commit that it made; `newer`: the page is already newer; undefined if the branch moved. */
async function commitPage(
  key: string,
  change: PageChange,
  page: Page,
  ports: PagePorts,
): Promise<CommitId | 'newer' | undefined> {
  const { repository, author } = ports;
  const tip = await repository.resolve(PAGES_BRANCH);
  const there = new Map(await pagesAt(repository, tip));
  const path = there.get(change.proposal) ?? pagePath(page);
  const before = await textAt(repository, tip, path);
  // An effect that is sent again late does not overwrite a newer page.
  if (before !== undefined && (readHead(before).version ?? -1) > change.version) return 'newer';

  there.set(change.proposal, path);
  const rows = await indexRows(change, page, { there, tip, ports });
  const { version, state } = change;
  const text = renderPage({ ...page, version, state });
  const tree = await repository.writeFiles(tip, [
    { path, content: Buffer.from(text) },
    { path: INDEX, content: Buffer.from(renderIndex(rows)) },
  ]);
  const commit = await repository.commit({
    tree,
    parents: tip === undefined ? [] : [tip],
    message: `proposal ${change.proposal}: ${state}\n\n${TRAILER}: ${key}\n`,
    author: { ...author, atMs: page.proposal.changedAtMs },
  });
  return (await repository.moveRef(PAGES_BRANCH, commit, tip)) ? commit : undefined;
}

function pagePath({ proposal }: Page): string {
  const [year, month] = isoTime(proposal.createdAtMs).split('-');
  const words = proposal.title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const slug = words.join('-').slice(0, 50).replace(/-$/, '') || 'proposal';
  return `${FOLDER}/${year}/${month}/${proposal.id}-${slug}.md`;
}

const PAGE = /^proposals\/\d{4}\/\d{2}\/([A-Za-z0-9_]{1,100})-[a-z0-9-]{1,50}\.md$/;

/** The page of each proposal: it keeps its name when its title changes. */
async function pagesAt(
  repository: TargetRepository,
  tip: CommitId | undefined,
): Promise<[string, string][]> {
  if (tip === undefined) return [];
  const files = await repository.listFiles(tip, FOLDER);
  return files.flatMap(({ path, kind }): [string, string][] => {
    const id = kind === 'file' ? PAGE.exec(path)?.[1] : undefined;
    return id === undefined ? [] : [[id, path]];
  });
}

async function textAt(
  repository: TargetRepository,
  tip: CommitId | undefined,
  path: string,
): Promise<string | undefined> {
  const bytes = tip === undefined ? undefined : await repository.readFile(tip, path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

interface BranchView {
  readonly there: ReadonlyMap<string, string>;
  readonly tip: CommitId | undefined;
  readonly ports: PagePorts;
}

/** Every proposal as it is now; this one as its page says. */
async function indexRows(
  change: PageChange,
  page: Page,
  { there, tip, ports }: BranchView,
): Promise<IndexRow[]> {
  const { repository } = ports;
  const severities = readSeverities((await textAt(repository, tip, INDEX)) ?? '');
  severities.set(change.proposal, page.content.severity);
  const { id, title, createdAtMs } = page.proposal;
  const others = (await ports.list()).filter((one) => one.id !== id);
  const lost = others.filter((one) => !severities.has(one.id) && there.has(one.id));
  for (const one of lost.slice(0, PAGES_READ_MAX)) {
    const { severity } = readHead((await textAt(repository, tip, there.get(one.id)!)) ?? '');
    if (severity !== undefined) severities.set(one.id, severity);
  }
  const own = { id, title, createdAtMs, state: change.state };
  return [own, ...others].map((one) => ({
    id: one.id,
    title: one.title,
    createdAtMs: one.createdAtMs,
    state: one.state,
    severity: severities.get(one.id) ?? null,
    page: there.get(one.id)?.slice(FOLDER.length + 1) ?? null,
  }));
}

/** The one of the branch's newest commits that was made by this effect. */
async function find(
  key: string,
  signal: AbortSignal,
  repository: TargetRepository,
): Promise<false | { readonly result: { readonly commit: CommitId } }> {
  const tip = await repository.resolve(PAGES_BRANCH);
  const waiting = tip === undefined ? [] : [tip];
  const seen = new Set<CommitId>(waiting);
  for (const commit of waiting) {
    signal.throwIfAborted();
    const { message, parents } = await repository.commitInfo(commit);
    if (message.trimEnd().endsWith(`\n\n${TRAILER}: ${key}`)) return { result: { commit } };
    for (const parent of parents) {
      if (seen.has(parent) || seen.size >= COMMITS_SEARCHED_MAX) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return false;
}
