/** Every route over real HTTP, with the real composition behind it: a change is found, decided, deployed, taken back. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Opened } from '../app/context.ts';
import { captureIo } from '../cli/captured-io.ts';
import {
  agentFile,
  calls,
  fileAt,
  makeTarget,
  SETTINGS,
  type Target,
} from '../cli/target.test-support.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import * as contracts from '../contracts/index.ts';
import type { Role } from '../facts/index.ts';
import { API_ROUTES } from './route-table.ts';

const FILE = 'agents/researcher.yaml';
/** Whoever shows the token of that name is an agent. */
const AGENTS = 'identity: { agents: [{ name: robot, matches: ["token:robot"] }] }\n';
let target: Target;
let opened: Opened;
let server: { readonly url: string; stop(): Promise<void> };
type Who = Role | 'robot';
const secrets = {} as Record<Who, string>;

beforeAll(async () => {
  target = await makeTarget({ [FILE]: agentFile('researcher', 'web_search') });
  writeFileSync(join(target.repository, 'hone.yaml'), `${SETTINGS}${AGENTS}`);
  const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
  secrets.operator = made.token!.secret;
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  const surroundings = {
    ...processSurroundings(),
    environment: target.installation.environment,
    cwd: target.repository,
    io: captureIo().io,
  };
  const context = makeContext(false, 'test', surroundings);
  opened = await context.open();
  server = await context.startServer(opened, 0);
  for (const role of ['approver', 'viewer'] as const) {
    const { body } = await ask('POST', '/api/tokens', { name: role, role }, 'operator');
    secrets[role] = contracts.tokenAddJson.parse(body).secret;
  }
});
afterAll(async () => {
  await server.stop();
  await opened.close();
  target[Symbol.dispose]();
});

async function ask(
  method: string,
  path: string,
  body: object | undefined,
  role: Who,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secrets[role]}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}
const get = async (path: string, role: Role = 'viewer') => {
  const { status, body } = await ask('GET', path, undefined, role);
  expect([path, status, body]).toEqual([path, 200, body]);
  return body;
};
const post = (path: string, body: object, role: Who = 'approver') => ask('POST', path, body, role);

/** Follows the ledger from its beginning until an entry of this type is there. */
async function recorded(type: string): Promise<unknown> {
  const done = new AbortController();
  const response = await fetch(`${server.url}/api/events?after=-1&type=${type}`, {
    headers: { Authorization: `Bearer ${secrets.viewer}` },
    signal: done.signal,
  });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const data = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (data === undefined) continue;
    done.abort();
    return JSON.parse(data);
  }
  throw new Error(`the stream ended before ${type}`);
}

describe('ID-1 every route that changes something asks the policies', () => {
  const posts = API_ROUTES.filter(({ method }) => method === 'POST');

  test('none is outside: each names its right, or its use case asks about the subject', () => {
    const silent = posts.filter(({ right }) => right === undefined).map(({ path }) => path);
    expect(silent).toEqual([]);
    expect(API_ROUTES.filter(({ method, right }) => method === 'GET' && right)).toEqual([]);
    const inside = posts.filter(({ right }) => right === 'asked_inside');
    // Those of a use case that asks: a decision, a delivery, an answer, a task's release, a tier, the stop's end.
    const known = /^\/api\/(?:proposals\/:id|actions|asks\/:id|tasks\/:id|tiers|resume)/;
    expect(inside.filter(({ path }) => !known.test(path))).toEqual([]);
  });

  test('by themselves, and not by the role at the door alone', async () => {
    const environment = { ...target.installation.environment, HONE_TOKEN: secrets.viewer };
    const context = makeContext(false, 'test', {
      ...{ ...processSurroundings(), environment, cwd: target.repository },
      io: captureIo().io,
    });
    const asking = posts.filter(({ right }) => right !== 'asked_inside' && right !== 'propose');
    expect(asking.length).toBeGreaterThan(25);
    for (const { path, call } of asking)
      expect([path, await call(context, {} as never, 'x')]).toMatchObject([
        path,
        { kind: 'forbidden' },
      ]);
  });
});

describe('the whole story over HTTP', () => {
  test('a cycle finds it; a decision with a token deploys it; a call takes it back', async () => {
    const begun = contracts.cycleStartJson.parse((await post('/api/cycles', {})).body);
    await recorded('approve.asked');
    const shown = contracts.cycleJson.parse(await get(`/api/cycles/${begun.cycle}`));
    expect(shown.cycle).toBe(begun.cycle);
    const [one] = contracts.proposalsListJson.parse(
      await get('/api/proposals?state=pending&limit=5'),
    ).proposals;
    const { id } = one!;
    const proposal = contracts.proposalsShowJson.parse(await get(`/api/proposals/${id}`));
    const diff = contracts.proposalsDiffJson.parse(await get(`/api/proposals/${id}/diff`));
    expect(diff.diff).toBe(proposal.diff);

    const robot = await post('/api/tokens', { name: 'robot', role: 'operator' }, 'operator');
    secrets.robot = contracts.tokenAddJson.parse(robot.body).secret;
    const before = await fileAt(target.repository, FILE);
    const path = `/api/proposals/${id}`;
    const digest = { digest: proposal.digest };
    expect((await post(`${path}/approve`, digest, 'viewer')).status).toBe(403);
    const patch = { proposal_id: id, base_commit: 'f'.repeat(40), patch_content: 'x' };
    const early = await post('/api/actions/write_patch', patch);
    expect(early).toMatchObject({ status: 409, body: { error: { code: 'refused' } } });
    expect(JSON.stringify(early.body)).toContain('only an approved change is written');
    const branch = `hone/proposal-${id}`;
    const pull = await post('/api/actions/open_pr', { proposal_id: id, branch });
    expect(pull).toMatchObject({ status: 409, body: { error: { code: 'refused' } } });
    expect(await post('/api/actions/validate_branch', { branch })).toMatchObject({ status: 409 });
    expect(await post(`${path}/approve`, {})).toMatchObject({ status: 400 });
    const wrong = await post(`${path}/approve`, { digest: 'sha256:000000000000' });
    expect(wrong).toMatchObject({ status: 409, body: { error: { code: 'refused' } } });
    const other = await post(`${path}/reject`, { digest: '000000000000', reason: 'not this' });
    expect(JSON.stringify(other)).toContain('which is not what you saw');
    expect(await post('/api/proposals/p_none/approve', digest)).toMatchObject({ status: 404 });
    for (const what of ['approve', 'reject', 'rollback']) {
      const body = what === 'approve' ? digest : { reason: 'r' };
      const refused = await post(`${path}/${what}`, body, 'robot');
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
      expect(JSON.stringify(refused.body)).toContain('token:robot is an agent');
    }
    const resumed = await post('/api/resume', { reason: 'r' }, 'robot');
    expect(resumed).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect(JSON.stringify(resumed.body)).toContain('This is an agent’s token');
    const added = await post('/api/tokens', { name: 'other', role: 'viewer' }, 'robot');
    expect(JSON.stringify(added)).toContain('This is an agent’s token');
    const reason = 'call +49 170 1234567 about it';
    const approved = await post(`${path}/approve`, { ...digest, reason });
    expect(approved).toMatchObject({ status: 200, body: { id, done: true, maskedInReason: 1 } });
    const { maskedInReason: _, ...answer } = approved.body as Record<string, unknown>;
    contracts.decidedJson.parse(answer);
    expect(JSON.stringify(answer)).not.toContain('1234567');

    await recorded('deploy.moved');
    expect(await fileAt(target.repository, FILE)).not.toBe(before);
    const decided = contracts.proposalsShowJson
      .parse(await get(path))
      .attestations.find(({ kind }) => kind === 'decision');
    expect(decided?.actor).toEqual({ kind: 'human', id: 'token:approver', verified: 'token' });

    await recorded('monitor.started');
    const back = await post(`${path}/rollback`, { reason: 'the bill doubled' });
    expect(back).toMatchObject({ status: 200, body: { id, done: true } });
    await recorded('deploy.reverted');
    expect(await fileAt(target.repository, FILE)).toBe(before);
    expect((await post(`${path}/reject`, { reason: ' ' })).status).toBe(400);
    expect((await post(`${path}/reject`, { reason: 'late' })).status).toBe(409);
  });

  test('stop and resume, gates, effects', async () => {
    expect(await post('/api/stop', {})).toMatchObject({
      status: 200,
      body: { stopped: true, changed: true, reason: 'no reason given' },
    });
    expect(await post('/api/cycles', {})).toMatchObject({ status: 409 });
    expect(await post('/api/resume', { reason: 'mended' }, 'operator')).toMatchObject({
      status: 200,
      body: { stopped: false, changed: true },
    });
    const weaker = { mode: 'observe', reason: 'a trial' };
    const set = await post('/api/switches/vetting', weaker, 'operator');
    expect(contracts.switchSetJson.parse({ ...(set.body as object) })).toMatchObject({
      gate: 'vetting',
      mode: 'observe',
    });
    expect(await post('/api/switches/none', weaker, 'operator')).toMatchObject({ status: 404 });
    const { effects } = contracts.outboxListJson.parse(await get('/api/outbox'));
    const key = encodeURIComponent(effects[0]!.key);
    contracts.outboxShowJson.parse(await get(`/api/outbox/${key}`));
    expect(await post(`/api/outbox/${key}/settle`, { outcome: 'dropped' })).toMatchObject({
      status: 409,
    });
    const note = await post('/api/ledger/checkpoint', {}, 'operator');
    contracts.ledgerCheckpointJson.parse(note.body);
    const gone = await post('/api/tokens/approver/revoke', {}, 'operator');
    contracts.tokenRevokeJson.parse(gone.body);
    expect((await post('/api/stop', {})).status).toBe(401);
  });
});

test('Prometheus reads how things stand, and people read the routes', async () => {
  const headers = { Authorization: `Bearer ${secrets.viewer}` };
  const metrics = await fetch(`${server.url}/metrics`, { headers });
  expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await metrics.text();
  expect(text).toContain('# TYPE hone_stopped gauge\nhone_stopped 0\n');
  expect(text).toMatch(/^hone_ledger_entries_total [1-9]\d*$/m);
  const docs = await (await fetch(`${server.url}/api/docs`)).text();
  for (const { path } of API_ROUTES) expect(docs).toContain(path.replace(':id', '{id}'));
  expect(docs).not.toContain('<script');
});

test('sources, single events and sessions, by filters and ids', async () => {
  const { sources } = contracts.sourcesListJson.parse(await get('/api/sources'));
  expect(sources).toMatchObject([{ name: 'fleet', kind: 'jsonl' }]);
  contracts.sourcesCheckJson.parse(await get('/api/sources/fleet'));
  expect((await ask('GET', '/api/sources/nobody', undefined, 'viewer')).status).toBe(404);
  const { events } = contracts.eventsListJson.parse(
    await get('/api/telemetry/events?failed=true&tool=web_search&limit=2'),
  );
  expect(events.map(({ failed }) => failed)).toEqual([true, true]);
  const { id, session } = events[0]!;
  const one = contracts.eventsShowJson.parse(await get(`/api/telemetry/events/${id}`));
  expect(one.session).toBe(session);
  const { traces } = contracts.tracesListJson.parse(await get('/api/telemetry/traces?failed=true'));
  expect(traces.length).toBeGreaterThan(0);
  const trace = contracts.tracesShowJson.parse(await get(`/api/telemetry/traces/${session}`));
  expect(trace.spans).toHaveLength(1);
  const wrong = await ask('GET', '/api/telemetry/events?since=lately', undefined, 'viewer');
  expect(wrong.status).toBe(400);
});

const READS = API_ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes(':id'));

test.each(READS.map((one) => [one.path, one] as const))(
  '%s answers by its contract',
  async (path, one) => {
    const query = /inclusion|consistency/.test(path) ? '?index=1' : '';
    one.answer.parse(await get(path + query, 'operator'));
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
    expect(await ask('GET', `${path}?nonsense=1`, undefined, 'operator')).toMatchObject({
      status: 400,
      body: { error: { code: 'query' } },
    });
  },
);

test('the OpenAPI document has every route', async () => {
  const { paths } = (await get('/api/openapi.json')) as { paths: Record<string, object> };
  for (const { method, path } of API_ROUTES) {
    expect(paths[path.replace(':id', '{id}')]).toHaveProperty(method.toLowerCase());
  }
});

test('every route that changes something is closed to whoever may only look', async () => {
  const changing = API_ROUTES.filter((one) => one.method === 'POST');
  for (const { method, path, role } of changing) {
    const { status } = await ask(method, path.replace(':id', 'x'), {}, 'viewer');
    // Those that the policies judge first need a subject and a whole input.
    const refused = role === 'viewer' ? [400, 403, 404] : [403];
    expect(refused, path).toContain(status);
  }
  const judged = changing.filter(({ role }) => role === 'viewer').map(({ path }) => path);
  const kinds = /^\/api\/(?:proposals|asks|tasks|tiers|actions|resume)\b/;
  expect(judged.filter((path) => !kinds.test(path))).toEqual([]);
  const resumed = await ask('POST', '/api/resume', { reason: 'r' }, 'viewer');
  expect(resumed).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
});

test('hone open gives an address of the running server that opens the dashboard once; a pipe gets no browser', async () => {
  const printed = contracts.openedDashboardJson.parse((await target.hone('open', '--json')).json());
  expect(printed).toMatchObject({ local: true, validMs: 60_000 });
  expect(printed.url.startsWith(`${server.url}/open?key=`)).toBe(true);
  const opens = async () => {
    const answer = await fetch(printed.url, { redirect: 'manual' });
    return { at: answer.headers.get('location'), cookie: answer.headers.get('set-cookie') };
  };
  const { at, cookie } = await opens();
  expect(at).toBe('/');
  expect(cookie).toMatch(/^hone_\w+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(await opens()).toEqual({ at: '/?key=spent', cookie: null });
  const headers = { cookie: cookie!.split(';')[0]! };
  const session = await (await fetch(`${server.url}/api/session`, { headers })).json();
  expect(session).toMatchObject({ session: { role: 'approver', named: false } });
  const text = await target.hone('open');
  expect(text.out).toContain('It works once, for a minute.');
});

describe('what an operator does with the installation', () => {
  const diff = [
    'diff --git a/.env b/.env',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/.env',
    '@@ -0,0 +1 @@',
    '+A=1',
    '',
  ].join('\n');

  test('a text is sanitised, and a diff checked by the policy, without anything kept', async () => {
    const sent = await post('/api/sanitize', { text: 'mail ann@example.org\nfine\n' }, 'operator');
    const clean = contracts.sanitizedJson.parse(sent.body);
    expect(clean).toMatchObject({ text: 'mail [REDACTED:EMAIL]\nfine\n', replaced: 1, lines: 2 });
    const checked = await post('/api/policy/check', { diff }, 'operator');
    const { files, findings } = contracts.policyCheckJson.parse(checked.body);
    expect([files, findings.map(({ path }) => path)]).toEqual([1, ['.env']]);
    const both = { diff, range: 'HEAD..HEAD' };
    expect((await post('/api/policy/check', both, 'operator')).status).toBe(400);
    const none = await post('/api/policy/check', { range: 'HEAD..HEAD' }, 'operator');
    expect(contracts.policyCheckJson.parse(none.body)).toEqual({ files: 0, findings: [] });
  });

  test('a source is shown, read once, written into hone.yaml and accepted', async () => {
    const more = join(target.repository, 'more.jsonl');
    writeFileSync(more, calls({ agent: 'writer', tool: 'fetch', untilMs: Date.now() }));
    const dry = await post('/api/sources', { place: more, dryRun: true }, 'operator');
    expect(contracts.sourceAddedJson.parse(dry.body)).toMatchObject({ written: false, files: 1 });
    const read = await post('/api/telemetry/files', { place: more, as: 'more' }, 'operator');
    expect(contracts.ingestJson.parse(read.body)).toMatchObject({ sources: [{ name: 'more' }] });
    expect((await post('/api/telemetry/files', { place: '-' }, 'operator')).status).toBe(400);
    const added = await post('/api/sources', { place: more, name: 'more' }, 'operator');
    expect(contracts.sourceAddedJson.parse(added.body).written).toBe(true);
    const check = contracts.configCheckJson.parse(
      await get('/api/configuration/check', 'operator'),
    );
    expect(check).toMatchObject({ file: 'hone.yaml', valid: true });
    const unseen = await post('/api/configuration/accept', {}, 'operator');
    const seen = contracts.configAcceptJson.parse(unseen.body);
    expect(seen).toMatchObject({ accepted: false, unseen: true });
    const accepted = await post('/api/configuration/accept', { digest: seen.digest }, 'operator');
    expect(contracts.configAcceptJson.parse(accepted.body).accepted).toBe(true);
    const { entries } = contracts.ledgerShowJson.parse(await get('/api/ledger/entries?limit=100'));
    const entry = entries.findLast(({ type }) => type === 'config.accepted');
    expect(entry?.actor.verified).toBe('token');
  });

  test('the ledger is exported, verified against kept checkpoints, and compared with its tables', async () => {
    const headers = { Authorization: `Bearer ${secrets.viewer}` };
    const answer = await fetch(`${server.url}/api/ledger/export`, { headers });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await answer.text()).trimEnd().split('\n');
    const note = await post('/api/ledger/checkpoint', {}, 'operator');
    const kept = contracts.ledgerCheckpointJson.parse(note.body);
    expect(lines.length).toBeLessThanOrEqual(kept.size);
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'ledger.created' });
    const verify = (body: object) => post('/api/ledger/verification', body, 'operator');
    const verified = contracts.ledgerVerifyJson.parse(
      (await verify({ checkpoints: kept.note, key: kept.verifierKey })).body,
    );
    expect(verified.ok).toBe(true);
    expect((await verify({ checkpoints: 'no note' })).status).toBe(400);
    const forged = kept.note.replace(`\n${kept.size}\n`, `\n${kept.size + 1}\n`);
    const found = contracts.ledgerVerifyJson.parse((await verify({ checkpoints: forged })).body);
    expect(found).toMatchObject({ ok: false, problem: { kind: 'checkpoint' } });
    const tables = await post('/api/ledger/tables', { reason: 'to be sure' }, 'operator');
    expect(contracts.ledgerRebuildJson.parse(tables.body)).toMatchObject({ equal: true });
  });

  test('a backup is written to the state folder, without the key', async () => {
    const { body } = await post('/api/backups', {}, 'operator');
    const taken = contracts.backupJson.parse(body);
    expect(taken).toMatchObject({ withKey: false, engine: 'sqlite' });
    expect(statSync(taken.output).size).toBe(taken.sizeBytes);
  });

  test('a task’s prompt is read and evidence handed in; a change is proposed', async () => {
    const begun = await post('/api/tasks', { title: 'a fix', worker: 'ann' }, 'operator');
    expect(begun).toMatchObject({ status: 200 });
    const { id } = contracts.taskJson.parse(begun.body);
    contracts.taskPromptJson.parse(await get(`/api/tasks/${id}/prompt`));
    const sent = { kind: 'document', name: '../plan.md', text: '# Plan\n\nOne step.\n' };
    const kept = await post(`/api/tasks/${id}/evidence`, { ...sent, worker: 'ann' }, 'operator');
    expect(kept.status, JSON.stringify(kept.body)).toBe(200);
    expect(contracts.evidenceJson.parse(kept.body)).toMatchObject({ name: 'plan.md' });
    const zero = { ...sent, text: 'a\0b' };
    expect((await post(`/api/tasks/${id}/evidence`, zero, 'operator')).status).toBe(400);
    const { events } = contracts.eventsListJson.parse(
      await get('/api/telemetry/events?failed=true&limit=1'),
    );
    const change = {
      evidence: [events[0]!.id],
      title: 'Add a file',
      rationale: 'to see',
      diff: diff.replaceAll('.env', 'a.md'),
    };
    const proposed = await post('/api/proposals', change, 'operator');
    expect([proposed.status, proposed.body]).toEqual([200, proposed.body]);
    const { id: proposal } = contracts.proposedJson.parse(proposed.body);
    expect(proposal).toMatch(/^p_/);
    contracts.feedbackListJson.parse(await get('/api/feedback'));
    expect((await ask('GET', '/api/tools/files%2Fread', undefined, 'viewer')).status).toBe(404);
  });
});
