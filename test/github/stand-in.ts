/**
 * A stand-in for GitHub on this machine: the endpoints that Hone uses, each request and answer checked against GitHub's own
 * description, git over HTTP by the real `git http-backend`, pull requests, reviews and check runs that behave as documented,
 * and signed webhooks. What people do there is a method.
 */
import { createHmac, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { backend } from '../../src/deploy/forges/remote/git-http.test-support.ts';
import { git, initRepository } from '../../src/git/test-repositories.ts';
import { type Described, find, problems } from './described.ts';

export interface User {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

export const APP_ID = 77;
export const INSTALLATION_ID = 5001;
export const APP_USER: User = { id: 9001, login: 'hone[bot]', type: 'Bot' };
export const ANN: User = { id: 11, login: 'ann', type: 'User' };
export const BEN: User = { id: 12, login: 'ben', type: 'User' };
export const BOT_TOKEN = 'bot-token-for-tests';
/** One pair for all: making it takes a tenth of a second. */
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OWNER = 'acme';
const NAME = 'shop';

interface PullRow {
  readonly number: number;
  readonly head: string;
  base: string;
  title: string;
  body: string | null;
  draft: boolean;
  state: 'open' | 'closed';
  readonly user: User;
  merged: { readonly at: string; readonly sha: string } | undefined;
  /** Where its head was when it was closed. */
  lastHead: string | undefined;
}

interface ReviewRow {
  readonly id: number;
  readonly number: number;
  state: string;
  readonly commit: string;
  readonly user: User;
  readonly at: string;
}

/** In the place of an answer: a status with headers, or silence. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'hang'
  | 'drop'
  /** It is done, and the connection breaks before the answer. */
  | 'drop after';

type Method = 'merge' | 'squash' | 'rebase';

export class GitHubStandIn implements AsyncDisposable {
  readonly asked: string[] = [];
  /** Requests and answers that GitHub's description does not allow. */
  readonly violations: string[] = [];
  readonly checks: Record<string, unknown>[] = [];
  readonly pulls: PullRow[] = [];
  readonly reviews: ReviewRow[] = [];
  readonly labels: [number, string[]][] = [];
  readonly facts = {
    ...{ private: true, archived: false },
    ...{ allow_merge_commit: true, allow_squash_merge: true, allow_rebase_merge: true },
  };
  /** What an app signs its proofs with. */
  readonly keyFile: string;
  readonly bare: string;
  readonly folder: string;
  /** Asked before every request. */
  fault: ((method: string, path: string) => Fault | undefined) | undefined;
  url = '';
  nowMs: () => number = () => Date.now();
  #server = createServer((request, response) => void this.#handle(request, response));
  readonly #installed = new Map<string, number>();
  #next = 1;
  #seconds = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.bare = join(folder, OWNER, `${NAME}.git`);
    this.keyFile = join(folder, 'app.pem');
    writeFileSync(this.keyFile, KEYS.privateKey.export({ type: 'pkcs1', format: 'pem' }), {
      mode: 0o600,
    });
  }

  static async open(folder: string): Promise<GitHubStandIn> {
    const one = new GitHubStandIn(folder);
    await mkdir(one.bare, { recursive: true });
    initRepository(one.bare, '--bare');
    git(one.bare, ['config', 'http.receivepack', 'true']);
    await new Promise<void>((ready) => one.#server.listen(0, '127.0.0.1', ready));
    one.url = `http://127.0.0.1:${(one.#server.address() as AddressInfo).port}`;
    return one;
  }

  get api(): string {
    return `${this.url}/api/v3`;
  }

  get gitUrl(): string {
    return `${this.url}/${OWNER}/${NAME}.git`;
  }

  get repository(): string {
    return `${OWNER}/${NAME}`;
  }

  at(branch: string): string | undefined {
    return (
      git(this.bare, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]) ||
      undefined
    );
  }

  /** What every review says. */
  reviewBody = '';

  /** Nobody pushes to it; it is merged into. */
  protect(branch: string): void {
    const hook = `#!/bin/sh\n[ "$1" = refs/heads/${branch} ] && echo 'GH006: Protected branch update failed' >&2 && exit 1\nexit 0\n`;
    writeFileSync(join(this.bare, 'hooks', 'update'), hook, { mode: 0o755 });
  }

  review(
    number: number,
    user: User,
    state: string,
    commit = this.#headOf(this.pull(number)),
  ): ReviewRow {
    if (user.id === this.pull(number).user.id)
      throw new Error('Can not approve your own pull request');
    const row = { id: this.#next++, number, state, commit, user, at: this.#time() };
    this.reviews.push(row);
    return row;
  }

  pull(number: number): PullRow {
    return this.pulls.find((one) => one.number === number)!;
  }

  /** What the button does, by whoever presses it. */
  merge(number: number, method: Method): string {
    const row = this.pull(number);
    const [base, head] = [this.at(row.base)!, this.#headOf(row)];
    const tree = git(this.bare, ['merge-tree', '--write-tree', base, head]).split('\n')[0]!;
    const parents = method === 'merge' ? [base, head] : [base];
    if (method === 'rebase') return this.#put(row, this.#rebased(base, head));
    const author = ['-c', 'user.name=GitHub', '-c', 'user.email=noreply@github.com'];
    const sha = git(this.bare, [
      ...[...author, 'commit-tree', tree, '-m', `${row.title} (#${number})`],
      ...parents.flatMap((one) => ['-p', one]),
    ]);
    return this.#put(row, sha);
  }

  #put(row: PullRow, sha: string): string {
    row.lastHead = this.#headOf(row);
    git(this.bare, ['update-ref', `refs/heads/${row.base}`, sha, this.at(row.base)!]);
    row.merged = { at: this.#time(), sha };
    row.state = 'closed';
    return sha;
  }

  /** Each commit of the branch anew on the base, with its own author and message. */
  #rebased(base: string, head: string): string {
    const commits = git(this.bare, ['rev-list', '--reverse', `${base}..${head}`]).split('\n');
    let onto = base;
    for (const one of commits) {
      const tree = git(this.bare, ['merge-tree', '--write-tree', onto, one]).split('\n')[0]!;
      const message = git(this.bare, ['log', '-1', '--format=%B', one]);
      const author = ['-c', 'user.name=GitHub', '-c', 'user.email=noreply@github.com'];
      onto = git(this.bare, [...author, 'commit-tree', tree, '-m', message, '-p', onto]);
    }
    return onto;
  }

  /** Sends an event as GitHub does. */
  webhook(
    url: string,
    secret: string,
    event: string,
    payload: object,
    delivery: string = randomUUID(),
  ) {
    const body = JSON.stringify(payload);
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/000000',
        'x-github-delivery': delivery,
        'x-github-event': event,
        'x-github-hook-id': '1',
        'x-hub-signature-256': `sha256=${signature}`,
      },
    });
  }

  async [Symbol.asyncDispose]() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Everything happens in a second of its own, as it does where people act. */
  #time(): string {
    this.#seconds += 1;
    return new Date(this.nowMs() + this.#seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  #headOf(row: PullRow): string {
    return row.lastHead ?? this.at(row.head) ?? '0'.repeat(40);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    this.asked.push(`${method} ${url.pathname}${url.search}`);
    const fault = this.fault?.(method, url.pathname);
    if (fault === 'hang') return;
    if (fault === 'drop') return void request.socket.destroy();
    if (typeof fault === 'object') {
      request.resume();
      response.writeHead(fault.status, fault.headers);
      return void response.end(JSON.stringify(fault.body ?? { message: 'no' }));
    }
    if (!url.pathname.startsWith('/api/')) return this.#git(request, response);
    const chunks: Buffer[] = [];
    for await (const part of request) chunks.push(part as Buffer);
    const text = Buffer.concat(chunks).toString();
    const answer = this.#answer(method, url, text, request.headers.authorization ?? '');
    if (fault === 'drop after') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  }

  async #git(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const [, password = ''] = Buffer.from(basic, 'base64').toString().split(':');
    if (this.#whoIs(`Bearer ${password}`) === undefined) {
      request.resume();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
      return;
    }
    await backend(this.folder, request, response, false);
  }

  /** The app's installation, a bot, or nobody. */
  #whoIs(authorization: string): 'app' | 'bot' | undefined {
    const token = authorization.replace(/^Bearer /, '');
    if (token === BOT_TOKEN) return 'bot';
    return (this.#installed.get(token) ?? 0) > this.nowMs() ? 'app' : undefined;
  }

  #answer(method: string, url: URL, text: string, authorization: string): Answer {
    if (url.pathname === '/api/graphql') return this.#graphql(text, authorization);
    const found = find(method, url.pathname.slice('/api/v3'.length));
    if (found === undefined) return this.#wrong(`${method} ${url.pathname}`, 'not described');
    const [endpoint, named] = found;
    const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
    const against = problems(endpoint, url.searchParams, body);
    if (against.length > 0) return this.#wrong(`${method} ${endpoint.path}`, against.join('; '));
    if (endpoint.path.startsWith('/app/')) return this.#install(authorization, named, endpoint);
    const who = this.#whoIs(authorization);
    if (who === undefined) return refusal(401, 'Bad credentials');
    if (`${named['owner']}/${named['repo']}` !== this.repository) return refusal(404, 'Not Found');
    const asked = { named, body: body ?? {}, query: url.searchParams, who };
    const answer = this.#route(endpoint, asked);
    return answer.status < 300 ? this.#checked(endpoint, answer) : answer;
  }

  #checked(endpoint: Described, answer: Answer): Answer {
    const read = endpoint.answer.safeParse(answer.body);
    if (!read.success) this.violations.push(`${endpoint.path} answered ${read.error.message}`);
    return { ...answer, status: endpoint.status };
  }

  #wrong(where: string, why: string): Answer {
    this.violations.push(`${where}: ${why}`);
    return refusal(422, why);
  }

  #install(authorization: string, named: Record<string, string>, endpoint: Described): Answer {
    const [head = '', claims = '', signature = ''] = authorization
      .replace(/^Bearer /, '')
      .split('.');
    const isSigned = createVerify('RSA-SHA256')
      .update(`${head}.${claims}`)
      .verify(KEYS.publicKey, signature, 'base64url');
    if (!isSigned) return refusal(401, 'A JSON web token could not be decoded');
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      number | string
    >;
    const nowS = this.nowMs() / 1000;
    const isLive =
      Number(said['iat']) <= nowS &&
      Number(said['exp']) > nowS &&
      Number(said['exp']) - nowS <= 600;
    if (!isLive || said['iss'] !== String(APP_ID)) return refusal(401, 'Expiration time is wrong');
    if (named['installation_id'] !== String(INSTALLATION_ID)) return refusal(404, 'Not Found');
    const token = `ghs_${randomUUID()}`;
    const untilMs = this.nowMs() + 3_600_000;
    this.#installed.set(token, untilMs);
    return this.#checked(endpoint, {
      status: 201,
      body: { token, expires_at: new Date(untilMs).toISOString() },
    });
  }

  #graphql(text: string, authorization: string): Answer {
    if (this.#whoIs(authorization) === undefined) return refusal(401, 'Bad credentials');
    const { query, variables } = JSON.parse(text) as { query: string; variables: { id: string } };
    if (
      !/^mutation\(\$id: ID!\) \{ markPullRequestReadyForReview\(input: \{ pullRequestId: \$id \}\)/.test(
        query,
      )
    )
      return this.#wrong('graphql', query);
    const row = this.pulls.find(({ number }) => nodeId(number) === variables.id);
    if (row === undefined) return { status: 200, body: { errors: [{ type: 'NOT_FOUND' }] } };
    row.draft = false;
    return {
      status: 200,
      body: { data: { markPullRequestReadyForReview: { clientMutationId: null } } },
    };
  }

  #route({ method, path }: Described, { named, body, query, who }: Asked): Answer {
    const tail = path.slice('/repos/{owner}/{repo}'.length);
    const row = this.pulls.find(
      ({ number }) => String(number) === (named['pull_number'] ?? named['issue_number']),
    );
    if (/\{(pull|issue)_number\}/.test(tail) && row === undefined) return refusal(404, 'Not Found');
    switch (`${method} ${tail}`) {
      case 'GET ':
        return ok({ id: 1, full_name: this.repository, ...this.facts });
      case 'GET /pulls':
        return ok(this.#listed(query).map((one) => this.#shown(one)));
      case 'POST /pulls':
        return this.#opened(body, who);
      case 'GET /pulls/{pull_number}':
        return ok(this.#shown(row!));
      case 'PATCH /pulls/{pull_number}':
        return this.#changed(row!, body);
      case 'GET /pulls/{pull_number}/reviews':
        return ok(this.#reviewsOf(row!, query));
      case 'PUT /pulls/{pull_number}/merge':
        return this.#merged(row!, body);
      case 'POST /check-runs':
        return this.#checkRun(body, who);
      case 'GET /commits/{ref}/check-runs': {
        const [asked, page] = [query.get('check_name'), Number(query.get('page') ?? 1)];
        const runs = this.checks.filter(
          (one) => one['head_sha'] === named['ref'] && (asked ?? one['name']) === one['name'],
        );
        if (page > 1) return ok({ total_count: runs.length, check_runs: [] });
        return ok({ total_count: runs.length, check_runs: runs });
      }
      case 'GET /commits/{ref}/status': {
        const statuses = this.statuses.filter((one) => one.commit === named['ref']);
        return ok({ total_count: statuses.length, statuses });
      }
      case 'GET /branches/{branch}':
        return ok({
          protection: {
            required_status_checks: { contexts: this.required.protection, checks: [] },
          },
        });
      case 'GET /rules/branches/{branch}':
        return ok(
          this.required.rules.map((context) => ({
            type: 'required_status_checks',
            parameters: {
              required_status_checks: [{ context }],
              strict_required_status_checks_policy: false,
            },
          })),
        );
      case 'POST /issues/{issue_number}/labels':
        this.labels.push([row!.number, body['labels'] as string[]]);
        return ok((body['labels'] as string[]).map((name) => ({ name })));
      default:
        return this.#wrong(`${method} ${path}`, 'the stand-in does not know it');
    }
  }

  #listed(query: URLSearchParams): PullRow[] {
    const [state, head, base] = ['state', 'head', 'base'].map((name) => query.get(name));
    return this.pulls
      .filter((one) => state === 'all' || one.state === (state ?? 'open'))
      .filter((one) => head === null || head === `${OWNER}:${one.head}`)
      .filter((one) => base === null || base === one.base)
      .toReversed();
  }

  #shown(row: PullRow) {
    const repo = { id: 1 };
    return {
      ...{ number: row.number, node_id: nodeId(row.number), state: row.state, draft: row.draft },
      ...{
        title: row.title,
        body: row.body,
        html_url: `${this.url}/${this.repository}/pull/${row.number}`,
      },
      merged_at: row.merged?.at ?? null,
      merge_commit_sha: row.merged?.sha ?? null,
      user: row.user,
      head: { ref: row.head, sha: this.#headOf(row), repo },
      base: { ref: row.base, sha: this.at(row.base) ?? '0'.repeat(40), repo },
    };
  }

  #opened(body: Record<string, unknown>, who: 'app' | 'bot'): Answer {
    const [head, base] = [String(body['head']), String(body['base'])];
    if (this.at(head) === undefined || this.at(base) === undefined)
      return refusal(422, 'Validation Failed');
    if (this.pulls.some((one) => one.head === head && one.base === base && one.state === 'open'))
      return refusal(422, `A pull request already exists for ${OWNER}:${head}.`);
    if (this.at(head) === this.at(base))
      return refusal(422, `No commits between ${base} and ${head}`);
    const row: PullRow = {
      ...{ number: this.#next++, head, base, title: String(body['title']) },
      ...{ body: (body['body'] as string | undefined) ?? null, draft: body['draft'] === true },
      user: who === 'app' ? APP_USER : { id: 9002, login: 'hone-bot', type: 'User' },
      ...{ state: 'open', merged: undefined, lastHead: undefined },
    };
    this.pulls.push(row);
    return { status: 201, body: this.#shown(row) };
  }

  #changed(row: PullRow, body: Record<string, unknown>): Answer {
    if (typeof body['title'] === 'string') row.title = body['title'];
    if (typeof body['body'] === 'string') row.body = body['body'];
    if (body['state'] === 'closed') {
      row.lastHead = this.#headOf(row);
      row.state = 'closed';
    }
    return ok(this.#shown(row));
  }

  #reviewsOf({ number }: PullRow, query: URLSearchParams) {
    const size = Number(query.get('per_page') ?? 30);
    const from = (Number(query.get('page') ?? 1) - 1) * size;
    const all = this.reviews.filter((one) => one.number === number).slice(from, from + size);
    return all.map(({ id, state, commit, user, at }) => ({
      id,
      state,
      user,
      commit_id: commit,
      body: this.reviewBody,
      submitted_at: at,
    }));
  }

  #merged(row: PullRow, body: Record<string, unknown>): Answer {
    const method = (body['merge_method'] ?? 'merge') as Method;
    if (row.state !== 'open' || row.draft) return refusal(405, 'Pull Request is not mergeable');
    const allowed = {
      merge: 'allow_merge_commit',
      squash: 'allow_squash_merge',
      rebase: 'allow_rebase_merge',
    } as const;
    if (!this.facts[allowed[method]])
      return refusal(405, `${method} is not allowed on this repository.`);
    if (body['sha'] !== undefined && body['sha'] !== this.#headOf(row))
      return refusal(409, 'Head branch was modified. Review and try the merge again.');
    if (
      this.needsReview &&
      !this.reviews.some((one) => one.number === row.number && one.state === 'APPROVED')
    )
      return refusal(
        405,
        'At least 1 approving review is required by reviewers with write access.',
      );
    return ok({
      sha: this.merge(row.number, method),
      merged: true,
      message: 'Pull Request successfully merged',
    });
  }

  /** A rule of the protected branch. */
  needsReview = false;
  /** Names of checks that it requires. */
  readonly required = { protection: [] as string[], rules: [] as string[] };
  readonly statuses: { commit: string; context: string; state: string }[] = [];

  /** What another app says about a commit; the newest counts. */
  check(commit: string, name: string, conclusion: string | null): void {
    const at = this.checks.findIndex(
      (one) => one['head_sha'] === commit && one['name'] === name && one['external_id'] === null,
    );
    if (at >= 0) this.checks.splice(at, 1);
    this.checks.push({
      ...{ id: this.#next++, name, head_sha: commit, external_id: null, conclusion },
      status: conclusion === null ? 'in_progress' : 'completed',
      ...{ completed_at: conclusion === null ? null : this.#time(), app: { id: APP_ID + 1 } },
    });
  }

  #checkRun(body: Record<string, unknown>, who: 'app' | 'bot'): Answer {
    if (who !== 'app') return refusal(403, 'You must authenticate via a GitHub App.');
    const run = {
      ...{
        id: this.#next++,
        name: body['name'],
        head_sha: body['head_sha'],
        external_id: body['external_id'] ?? null,
      },
      ...{
        status: body['status'],
        conclusion: body['conclusion'] ?? null,
        completed_at: this.#time(),
      },
      app: { id: APP_ID },
    };
    this.checks.push(run);
    return { status: 201, body: run };
  }
}

interface Asked {
  readonly named: Record<string, string>;
  readonly body: Record<string, unknown>;
  readonly query: URLSearchParams;
  readonly who: 'app' | 'bot';
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const refusal = (status: number, message: string): Answer => ({ status, body: { message } });
const nodeId = (number: number) => `PR_${number}`;
