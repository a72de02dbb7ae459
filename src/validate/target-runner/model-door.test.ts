import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { KEY, startModelHost } from '../../../test/model-host.ts';
import { sandboxProblem } from '../../../test/sandbox.ts';
import { storePerTest } from '../../../test/timed-store.ts';
import { systemClock } from '../../base/index.ts';
import { memoryRepository } from '../../git/index.ts';
import { commitFiles } from '../../git/test-repositories.ts';
import { SETTINGS } from '../validate.test-support.ts';
import { NotRunnable, SandboxRunner } from './index.ts';

const never = new AbortController().signal;
const temporary = mkdtempSync(join(tmpdir(), 'hone-model-door-'));
chmodSync(temporary, 0o755);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** As a program with a client of the provider asks, by what its environment says. Then what else is there to be found. */
const ASK = `
const { request } = require('node:http');
const { readFileSync, readdirSync } = require('node:fs');
const body = { model: 'small-1', max_tokens: 1000, messages: [{ role: 'user', content: 'Is it well?' }] };
const post = (url, more = {}) => fetch(url, { method: 'POST', body: JSON.stringify({ ...body, ...more }),
  headers: { 'x-api-key': process.env.ANTHROPIC_API_KEY } }).then(async (one) => one.status + ' ' + await one.text(), (e) => e.cause.code);
(async () => {
  const base = process.env.ANTHROPIC_BASE_URL;
  console.log((await post(base + '/v1/messages')).slice(0, 3));
  console.log((await post(base + '/v1/messages', { stream: true })).slice(0, 3));
  console.log((await post(base + '/v1/files')).slice(0, 3));
  console.log(await post(process.argv[2] + '/v1/messages'));
  const seen = [process.env, readdirSync('/work'), readFileSync('/proc/self/environ', 'utf8')];
  console.log(JSON.stringify(seen).includes(process.argv[3]) ? 'key' : 'no key', readdirSync('/work').sort().join());
})();`;

describe.skipIf(sandboxProblem() !== undefined)('VAL-4 a model from inside the sandbox', () => {
  const control = storePerTest('memory');
  let made = 0;
  async function ran(
    files: Readonly<Record<string, string>>,
    argv: readonly string[],
    { model = {}, key = KEY, account = 'one' } = {},
  ) {
    const repository = memoryRepository();
    const commit = await commitFiles(repository, undefined, files);
    const runner = new SandboxRunner({
      ...{ repository, clock: systemClock, newId: () => `model-${process.pid}-${++made}` },
      settings: {
        ...SETTINGS,
        ...{ memory: 512 * 1024 * 1024, processes: 64 },
        model: { ...SETTINGS.model, provider: 'anthropic', models: ['small-1'], ...model },
      },
      ...{ temporary, keptIn: '/nowhere' },
      store: control().store,
      secret: (name) => (name === 'HONE_MODEL_KEY' ? key : undefined),
      probe: async () => ({ available: true, version: '0', kept: {} as never }),
    });
    await using target = await runner.open({ commit, base: commit }, never);
    return await target.run(
      { argv, timeoutMs: 20_000, ...(account === '' ? {} : { modelAccount: account }) },
      never,
    );
  }

  test('answers through its socket, and nothing else does', async () => {
    await using host = await startModelHost();
    const { output, messages, model } = await ran(
      { 'ask.js': ASK },
      ['node', 'ask.js', host.url, KEY],
      { model: { url: host.url } },
    );
    expect(messages.toString()).toBe('');
    // It was told the key as an argument, to look for it: not by what is around it.
    expect(output.toString().split('\n').slice(0, 5)).toEqual([
      ...['200', '400', '404', 'ECONNREFUSED'],
      'no key mirror,proxy,target',
    ]);
    expect(host.wrong).toEqual([]);
    expect(model).toMatchObject({ asked: 1, requests: [{ status: 200 }], isOverSpent: false });
    expect(model!.refused).toHaveLength(2);
    expect(JSON.stringify(model)).not.toContain(KEY);
  });

  test('is not there for a run that may not ask', async () => {
    const { output, model } = await ran({ a: '' }, ['sh', '-c', 'ls /work; env'], {
      account: '',
    });
    expect([output.toString().includes('ANTHROPIC'), output.toString().includes('proxy')]).toEqual([
      false,
      false,
    ]);
    expect(model).toBeUndefined();
  });

  test('gives no verdict to a run that was kept from asking', async () => {
    await using host = await startModelHost();
    const asked = ran({ 'ask.js': ASK }, ['node', 'ask.js', host.url, 'x'], {
      model: { url: host.url, spend: 0.01 },
    });
    await expect(asked).rejects.toThrow(/more than validate\.model\.spend allows: 0 requests/);
  });

  test('all runs of a validation share what may be spent; another has its own', async () => {
    await using host = await startModelHost();
    const run = (account: string) =>
      ran({ 'ask.js': ASK }, ['node', 'ask.js', host.url, 'x'], {
        model: { url: host.url, spend: 0.15 },
        account,
      });
    // Each costs five cents, and could cost nine.
    await run('one');
    await run('one');
    await expect(run('one')).rejects.toThrow(/0 requests of this run/);
    expect((await run('other')).model).toMatchObject({ asked: 1 });
  });

  test.each([
    ['without a key', { key: '' }, 'The environment variable HONE_MODEL_KEY holds no key'],
    ['without a name of a model', { model: { models: [] } }, 'validate.model.models'],
  ])('%s nothing is run', async (_, more, why) => {
    const asked = ran({ a: '' }, ['true'], more);
    await expect(asked).rejects.toThrow(NotRunnable);
    await expect(asked).rejects.toThrow(why);
  });
});
