/** The requests about one repository, and what Hone keeps of their answers. */
import { z } from 'zod';
import type { Access } from './access.ts';
import { type ApiPorts, type Asked, ask, GitHubError } from './api.ts';

const sha = z.string().regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);
const id = z.int().min(1);
/** Longer names do not exist there; what is longer is not ours to keep. */
const name = z.string().max(300);

const userSchema = z.object({ id, login: name, type: name }).nullable();

const pullSchema = z.object({
  number: id,
  node_id: name,
  state: name,
  draft: z.boolean().optional(),
  title: z.string(),
  body: z.string().nullable(),
  merged_at: z.string().nullable(),
  merge_commit_sha: sha.nullable(),
  html_url: z.url({ protocol: /^https?$/ }).max(1000),
  user: userSchema,
  head: z.object({ ref: name, sha, repo: z.object({ id }).nullable() }),
  base: z.object({ ref: name, sha, repo: z.object({ id }) }),
});
export type Pull = z.infer<typeof pullSchema>;

const reviewSchema = z.object({
  id,
  state: name,
  commit_id: sha.nullable(),
  submitted_at: z.iso.datetime().optional(),
  user: userSchema,
});
export type Review = z.infer<typeof reviewSchema>;

const checkSchema = z.object({
  id,
  head_sha: sha,
  name,
  external_id: name.nullable(),
  status: name,
  conclusion: name.nullable(),
  completed_at: z.iso.datetime().nullable(),
  app: z.object({ id }).nullable(),
});
export type CheckRun = z.infer<typeof checkSchema>;

const statusSchema = z.object({ context: name, state: name });
export type CommitStatus = z.infer<typeof statusSchema>;

const protectionSchema = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({ contexts: z.array(name), enforcement_level: name.optional() })
        .optional(),
    })
    .optional(),
});
/** Of other kinds of rules only that they are there. */
const ruleSchema = z.object({
  type: name,
  parameters: z
    .object({ required_status_checks: z.array(z.object({ context: name })).optional() })
    .optional(),
});

const repositorySchema = z.object({
  id,
  private: z.boolean(),
  archived: z.boolean(),
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});
export type RepositoryFacts = z.infer<typeof repositorySchema>;

export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** Ten pages; a pull request with more reviews is not judged at all. */
const PAGE = 100;
const PAGES_MAX = 10;

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export class GitHubRepository {
  readonly name: RepositoryName;
  readonly access: Access;
  readonly #api: ApiPorts;

  constructor(named: RepositoryName, access: Access, api: ApiPorts) {
    this.name = named;
    this.access = access;
    this.#api = api;
  }

  facts(): Promise<RepositoryFacts> {
    return this.#ask('GET', [], { answer: repositorySchema });
  }

  /** All of a branch of this repository, the newest first; those of forks are left out. */
  async pullsOf(branch: string, base: string): Promise<Pull[]> {
    const query = {
      ...{ head: `${this.name.owner}:${branch}`, base, state: 'all' },
      ...{ sort: 'created', direction: 'desc', per_page: PAGE },
    };
    const found = await this.#ask('GET', ['pulls'], { query, answer: z.array(pullSchema) });
    // Its filter is not trusted: a fork's branch may have the same name.
    return found.filter(
      ({ head, base: at }) =>
        head.ref === branch && at.ref === base && head.repo !== null && head.repo.id === at.repo.id,
    );
  }

  pull(number: number): Promise<Pull> {
    return this.#ask('GET', ['pulls', number], { answer: pullSchema });
  }

  openPull(draft: {
    readonly title: string;
    readonly body: string;
    readonly head: string;
    readonly base: string;
    readonly draft: boolean;
  }): Promise<Pull> {
    const body = { ...draft, maintainer_can_modify: false };
    return this.#ask('POST', ['pulls'], { body, answer: pullSchema });
  }

  changePull(
    number: number,
    body: { title?: string; body?: string; state?: 'open' | 'closed' },
  ): Promise<Pull> {
    return this.#ask('PATCH', ['pulls', number], { body, answer: pullSchema });
  }

  async reviews(number: number): Promise<Review[]> {
    const all: Review[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const part = await this.#reviewPage(number, page, PAGE);
      all.push(...part);
      if (part.length < PAGE) return all;
    }
    throw new GitHubError(
      'forge_refused',
      `The pull request has more than ${PAGE * PAGES_MAX} reviews.`,
      { hint: 'Decide with "hone approve" or "hone reject".' },
    );
  }

  /** Anybody may review, at length: a page that is too large to be read is asked for in tenths. */
  async #reviewPage(number: number, page: number, size: number): Promise<Review[]> {
    try {
      const query = { per_page: size, page };
      const path = ['pulls', number, 'reviews'];
      return await this.#ask('GET', path, { query, answer: z.array(reviewSchema) });
    } catch (error) {
      if (!(error instanceof GitHubError) || !error.isTooLarge || size === 1) throw error;
    }
    const all: Review[] = [];
    for (let tenth = 1; tenth <= 10; tenth++) {
      const part = await this.#reviewPage(number, (page - 1) * 10 + tenth, size / 10);
      all.push(...part);
      if (part.length < size / 10) break;
    }
    return all;
  }

  async checkRuns(commit: string, checkName: string): Promise<CheckRun[]> {
    const query = { check_name: checkName, filter: 'all', per_page: PAGE };
    const answer = z.object({ check_runs: z.array(checkSchema) });
    const path = ['commits', commit, 'check-runs'];
    return (await this.#ask('GET', path, { query, answer })).check_runs;
  }

  /** Of every name, the newest of each app. */
  allCheckRuns(commit: string): Promise<CheckRun[]> {
    const answer = z.object({ check_runs: z.array(checkSchema) });
    return this.#pages('check runs', async (page) => {
      const query = { filter: 'latest', per_page: PAGE, page };
      const path = ['commits', commit, 'check-runs'];
      return (await this.#ask('GET', path, { query, answer })).check_runs;
    });
  }

  /** The newest of each context. */
  statuses(commit: string): Promise<CommitStatus[]> {
    const answer = z.object({ statuses: z.array(statusSchema) });
    return this.#pages('statuses', async (page) => {
      const query = { per_page: PAGE, page };
      return (await this.#ask('GET', ['commits', commit, 'status'], { query, answer })).statuses;
    });
  }

  /** What must be green before the branch is moved: by its protection and by rules of the repository, each once. */
  async requiredChecks(branch: string): Promise<string[]> {
    const { protection } = await this.#ask('GET', ['branches', branch], {
      answer: protectionSchema,
    });
    const { contexts = [], enforcement_level: level } = protection?.required_status_checks ?? {};
    const rules = await this.#rules(branch);
    const ruled = rules.flatMap(({ type, parameters }) =>
      type === 'required_status_checks' ? (parameters?.required_status_checks ?? []) : [],
    );
    const own = level === 'off' ? [] : contexts;
    return [...new Set([...own, ...ruled.map(({ context }) => context)])];
  }

  /** A server of one's own that is older than rules has none. */
  async #rules(branch: string) {
    try {
      return await this.#pages('rules', (page) =>
        this.#ask('GET', ['rules', 'branches', branch], {
          query: { per_page: PAGE, page },
          answer: z.array(ruleSchema),
        }),
      );
    } catch (error) {
      if (error instanceof GitHubError && error.status === 404) return [];
      throw error;
    }
  }

  async #pages<T>(what: string, read: (page: number) => Promise<readonly T[]>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const part = await read(page);
      all.push(...part);
      if (part.length < PAGE) return all;
    }
    throw new GitHubError('forge_refused', `There are more than ${PAGE * PAGES_MAX} ${what}.`);
  }

  makeCheckRun(body: {
    readonly name: string;
    readonly head_sha: string;
    readonly external_id: string;
    readonly status: 'completed';
    readonly conclusion: 'success' | 'neutral';
    readonly output: { readonly title: string; readonly summary: string };
  }): Promise<CheckRun> {
    return this.#ask('POST', ['check-runs'], { body, answer: checkSchema });
  }

  async label(number: number, labels: readonly string[]): Promise<void> {
    await this.#ask('POST', ['issues', number, 'labels'], {
      body: { labels },
      answer: z.array(z.unknown()),
    });
  }

  /** Only if its head is still this commit. */
  async merge(number: number, head: string, method: MergeMethod): Promise<string> {
    const answer = z.object({ sha, merged: z.literal(true) });
    const body = { sha: head, merge_method: method };
    return (await this.#ask('PUT', ['pulls', number, 'merge'], { body, answer })).sha;
  }

  /** A draft is not merged, and only GraphQL makes it none. */
  async markReady(nodeId: string): Promise<void> {
    const query =
      'mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { clientMutationId } }';
    const answer = z.object({ errors: z.array(z.unknown()).max(0).optional() });
    const body = { query, variables: { id: nodeId } };
    const token = await this.access.token();
    // An own server has its GraphQL beside its REST interface.
    const address = this.#api.address.replace(/\/api\/v3$/, '/api');
    const api = { ...this.#api, address };
    await ask({ method: 'POST', path: ['graphql'], body, token, answer }, api);
  }

  async #ask<T extends z.ZodType>(
    method: Asked<T>['method'],
    path: Asked<T>['path'],
    rest: Pick<Asked<T>, 'query' | 'body' | 'answer'>,
  ): Promise<z.output<T>> {
    const { owner, name: repository } = this.name;
    const token = await this.access.token();
    return ask({ method, path: ['repos', owner, repository, ...path], token, ...rest }, this.#api);
  }
}
