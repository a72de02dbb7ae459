import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KEY, type ModelHost, startModelHost } from '../../test/model-host.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { type OpenModelProxy, openModelProxy, Purse } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'hone-model-'));
let [host, proxy]: [ModelHost | undefined, OpenModelProxy | undefined] = [undefined, undefined];
let made = 0;
let socket = '';

beforeEach(async () => {
  host = await startModelHost();
});
afterEach(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
  rmSync(socket, { force: true });
});

const control = storePerTest('memory');

async function open({
  spendUsd = 1,
  ...more
}: Partial<Parameters<typeof openModelProxy>[0]> & { spendUsd?: number } = {}) {
  socket = join(folder, `s${++made}`);
  proxy = await openModelProxy({
    ...{ socket, provider: 'anthropic', url: host!.url, key: KEY, models: ['small-1'] },
    purse: new Purse(control().store, 'one', spendUsd),
    ...{ inputPrice: 10, outputPrice: 100, ...more },
  });
}

interface Said {
  readonly status: number;
  readonly text: string;
}

function said(
  body: unknown,
  { path = '/v1/messages', method = 'POST', headers = {} as Record<string, string> } = {},
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: socket, path, method, headers }, (reply) => {
      let text = '';
      reply.on('data', (part) => {
        text += part;
      });
      reply.on('end', () => resolve({ status: reply.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const ask = (more: object = {}) => ({
  ...{ model: 'small-1', max_tokens: 1000 },
  messages: [{ role: 'user', content: 'Is it well?' }],
  ...more,
});
const withBlock = (block: object) => ask({ messages: [{ role: 'user', content: [block] }] });

describe('VAL-4 a model for the sandbox', () => {
  test('is asked with the key, which the sandbox does not have and the record does not hold', async () => {
    await open();
    const { status, text } = await said(ask(), {
      headers: { 'x-api-key': 'mine', 'anthropic-beta': 'code-execution', cookie: 'a=b' },
    });
    expect([status, JSON.parse(text).content[0].text]).toEqual([200, 'It is well.']);
    expect(host!.wrong).toEqual([]);
    expect(Object.keys(host!.requests[0]!.headers).sort()).toEqual([
      ...['accept', 'anthropic-version', 'connection', 'content-length', 'content-type', 'host'],
      'x-api-key',
    ]);
    const record = proxy!.record();
    expect(record).toMatchObject({
      asked: 1,
      requests: [{ status: 200, request: ask(), usage: { inputTokens: 1000, outputTokens: 500 } }],
      refused: [],
      isOverSpent: false,
    });
    expect(record.spentUsd).toBeCloseTo(0.06);
    expect(JSON.stringify(record) + text).not.toContain(KEY);
  });

  test('of OpenAI’s kind too', async () => {
    await open({ provider: 'openai' });
    const body = { model: 'small-1', max_completion_tokens: 10, messages: ask().messages };
    const { status } = await said(body, { path: '/v1/chat/completions' });
    expect([status, host!.wrong]).toEqual([200, []]);
    expect(proxy!.record().spentUsd).toBeCloseTo(0.06);
    for (const more of [{ web_search_options: {} }, { store: true }, { n: 5 }, { stream: true }])
      expect((await said({ ...body, ...more }, { path: '/v1/chat/completions' })).status).toBe(400);
    const { max_completion_tokens: _, ...endless } = body;
    expect((await said(endless, { path: '/v1/chat/completions' })).status).toBe(400);
    expect(host!.requests).toHaveLength(1);
  });

  test.each<[string, Parameters<typeof said>]>([
    ['another path', [ask(), { path: '/v1/files' }]],
    ['a path behind it', [ask(), { path: '/v1/messages/batches' }]],
    ['a question', [ask(), { path: '/v1/messages?beta=true' }]],
    ['a way around', [ask(), { path: '/v1/messages/../files' }]],
    ['another host', [ask(), { path: 'http://127.0.0.1:1/v1/messages' }]],
    ['another method', ['', { method: 'GET' }]],
    ['no JSON', ['{']],
    ['a list', [[ask()]]],
    ['a model that is not named', [ask({ model: 'large-1' })]],
    ['streaming', [ask({ stream: true })]],
    [
      'a tool that runs at the provider',
      [ask({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] })],
    ],
    [
      'code at the provider',
      [ask({ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] })],
    ],
    [
      'servers of tools',
      [ask({ mcp_servers: [{ type: 'url', url: 'http://127.0.0.1:1', name: 'x' }] })],
    ],
    ['a container', [ask({ container: 'c_1' })]],
    [
      'a picture by address',
      [withBlock({ type: 'image', source: { type: 'url', url: 'http://127.0.0.1:1/a' } })],
    ],
    [
      'a document by file',
      [withBlock({ type: 'document', source: { type: 'file', file_id: 'f1' } })],
    ],
    [
      'a schema elsewhere',
      [ask({ tools: [{ name: 'x', input_schema: { a: { $ref: 'http://127.0.0.1:1/s' } } }] })],
    ],
    ['a body of two megabytes', [ask({ system: 'x'.repeat(2 * 1024 * 1024) })]],
    ['an endless answer', [ask({ max_tokens: 1e9 })]],
    [
      'a field of another’s making',
      [JSON.stringify(ask()).replace('{', '{"__proto__":{"stream":true},')],
    ],
  ])('is not asked: %s', async (_, args) => {
    // Not for want of money.
    await open({ spendUsd: 1_000_000 });
    // The connection may be ended before everything was sent.
    const answered = await said(...args).catch(() => undefined);
    if (answered !== undefined) expect(answered.status).toBeGreaterThanOrEqual(400);
    expect(host!.requests).toEqual([]);
    const record = proxy!.record();
    expect([record.asked, record.refused.length, record.spentUsd]).toEqual([0, 1, 0]);
  });

  test('gets no secrets', async () => {
    await open();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await said(ask({ system: `Use ${secret}.`, messages: [{ role: 'user', content: secret }] }));
    expect(host!.requests[0]!.body).not.toContain(secret);
    expect(host!.requests[0]!.body).toContain('Use ');
    expect(JSON.stringify(proxy!.record())).not.toContain(secret);
  });

  test.each([
    ['as it is', KEY],
    [
      'escaped',
      [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    ['encoded', Buffer.from(KEY).toString('base64')],
    ['backwards', [...KEY].reverse().join('')],
  ])('holds back an answer with the key in it, %s', async (_, written) => {
    await open();
    host!.answer(() => ({ body: `{"content":[{"type":"text","text":"${written}"}]}` }));
    const { status, text } = await said(ask());
    expect([status, text.includes(written)]).toEqual([502, false]);
    expect(JSON.stringify(proxy!.record())).not.toContain(KEY);
  });

  test('says so when more could be spent than may be, before it is spent', async () => {
    // 1 000 tokens of an answer cost .1, and what is sent a little more than .01.
    await open({ spendUsd: 0.2 });
    const statuses = [];
    for (let at = 0; at < 4; at++) statuses.push((await said(ask())).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(proxy!.record()).toMatchObject({ asked: 2, isOverSpent: true });
    expect(proxy!.record().spentUsd).toBeLessThanOrEqual(0.2);
  });

  test('spends nothing twice when requests come together', async () => {
    await open({ spendUsd: 0.35 });
    const all = await Promise.all(Array.from({ length: 8 }, () => said(ask())));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5);
    expect(proxy!.record().spentUsd).toBeLessThanOrEqual(0.35);
    expect(proxy!.record().isOverSpent).toBe(true);
  });

  test.each([
    ['an answer without a count', { body: '{"content":[]}' }],
    ['one that breaks off', { breaksOff: true }],
    ['one that is not JSON', { body: 'well' }],
    ['one that sends elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
  ])('counts all that it could have cost: %s', async (_, answer) => {
    await open({ spendUsd: 0.2 });
    host!.answer(() => answer);
    await said(ask());
    expect(proxy!.record().spentUsd).toBeGreaterThan(0.1);
    expect((await said(ask())).status).toBe(429);
    expect(host!.requests).toHaveLength(1);
  });

  test('what the provider refuses costs nothing and is passed on', async () => {
    await open();
    host!.answer(() => ({
      status: 529,
      body: '{"type":"error","error":{"type":"overloaded_error"}}',
    }));
    expect(await said(ask())).toEqual({
      ...{ status: 529, text: '{"type":"error","error":{"type":"overloaded_error"}}' },
    });
    expect(proxy!.record()).toMatchObject({ spentUsd: 0, requests: [{ status: 529 }] });
  });
});
