/**
 * Somebody at the command line who is no operator edits `hone.yaml` and accepts it: to silence the notices, to let
 * others in, to make the watch blind, and then to become an operator unseen. Each of that takes an operator, and is
 * told by the channels that were accepted before.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureIo } from '../../src/cli/captured-io.ts';
import { runCli } from '../../src/cli/program.ts';
import { makeContext } from '../../src/compose/context.ts';
import { processSurroundings } from '../../src/compose/surroundings.ts';
import {
  composeSections,
  expectConfig,
  leavesOf,
  parseConfig,
  weakenedKeys,
} from '../../src/config/index.ts';
import * as contracts from '../../src/contracts/index.ts';
import { honeSections } from '../../src/loop/sections.ts';
import { FIXED_GATES } from '../../src/policy/index.ts';
import { type Installation, makeInstallation } from '../cli.ts';

const SECRET = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;

/** A webhook's receiver; `titles` is what it was told. */
async function receiver() {
  const titles: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      titles.push((JSON.parse(body) as { data: { title: string } }).data.title);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    titles,
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.dispose]: () => void server.close(),
  };
}

const KNOWN_AGENTS = [
  '{ name: claude, matches: [noreply@anthropic.com] }',
  '{ name: copilot, matches: [198982749+Copilot@users.noreply.github.com] }',
  '{ name: cursor, matches: [cursoragent@cursor.com] }',
].join(', ');

const webhooks = (url: string) =>
  `notify: { webhooks: [{ name: team, url: '${url}', secretEnv: TEAM_SECRET }] }\n`;

describe('with an operator', () => {
  let here: Installation;
  let channel: Awaited<ReturnType<typeof receiver>>;
  let base: string;
  const write = (text: string) => writeFileSync(join(here.repository, 'hone.yaml'), text);
  const entries = async () =>
    contracts.statusJson.parse((await here.hone('status', '--json')).json()).ledger.entries;

  beforeAll(async () => {
    here = makeInstallation({ inProcess: true });
    channel = await receiver();
    here.environment['TEAM_SECRET'] = SECRET;
    base = `${webhooks(channel.url)}observe: { sources: [{ name: fleet, path: ../events.jsonl }] }\n`;
    write(base);
    await here.stateDir();
  });
  afterAll(() => {
    channel[Symbol.dispose]();
    here[Symbol.dispose]();
  });

  test.each([
    ['notify.webhooks', () => base.replace(webhooks(channel.url), 'notify: { webhooks: [] }\n')],
    ['notify.webhooks', () => base.replace(channel.url, 'https://evil.example/hook')],
    ['notify.terminal', () => base.replace('notify: {', 'notify: { terminal: false,')],
    // One more agent may be the operator: then nobody could decide, resume or undo it.
    [
      'identity.agents',
      () => `${base}identity: { agents: [{ name: x, matches: [root] }, ${KNOWN_AGENTS}] }\n`,
    ],
    ['limits.cyclesPerDay', () => `${base}limits: { cyclesPerDay: 0 }\n`],
    ['diagnose.minOccurrences', () => `${base}diagnose: { minOccurrences: 1000000 }\n`],
    ['validate.forbiddenPaths', () => `${base}validate: { forbiddenPaths: [] }\n`],
    [
      'server.allowedOrigins',
      () => `${base}server: { allowedOrigins: ['https://evil.example'] }\n`,
    ],
    ['server.allowedHosts', () => `${base}server: { allowedHosts: [evil.example] }\n`],
    ['server.host', () => `${base}server: { host: 0.0.0.0 }\n`],
    ['monitor.errorRate', () => `${base}monitor: { errorRate: 10 }\n`],
    ['monitor.interval', () => `${base}monitor: { interval: 1h }\n`],
    ['monitor.alpha', () => `${base}monitor: { alpha: 0.0001 }\n`],
    ['deploy.branch', () => `${base}deploy: { branch: release }\n`],
    ['limits.cyclesPerDay', () => `${base}limits: { cyclesPerDay: 1000 }\n`],
    ['observe.sources', () => base.replace('../events.jsonl', '../made-up.jsonl')],
    [
      'schedules.criticalNotices.cron',
      () => `${base}schedules: { criticalNotices: { cron: "0 0 1 1 *" } }\n`,
    ],
    ['schedules.digest.notify', () => `${base}schedules: { digest: { notify: [] } }\n`],
    ['switches.vetting', () => `${base}switches: { vetting: off }\n`],
    ['store.url', () => `${base}store: { url: "env:OTHER_DATABASE" }\n`],
    ['ledger.checkpointInterval', () => `${base}ledger: { checkpointInterval: 7d }\n`],
  ])('%s takes one', async (key, text) => {
    write(text());
    const before = await entries();
    const refused = await here.accept('anybody');
    expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(refused.err.replace(/\s+/g, ' ')).toContain(
      `It weakens or moves ${key}. Only an operator may do this`,
    );
    expect(await entries()).toBe(before);
    expect(channel.titles).toEqual([]);
    write(base);
  });

  test('a weaker one is told by the channels accepted before, although it removes them', async () => {
    write('notify: { webhooks: [], terminal: false }\n');
    const done = await here.accept();
    expect(done).toMatchObject({ exit: 0 });
    expect(done.err).toContain('[critical] A weaker configuration was accepted by token:operator');
    expect(channel.titles).toEqual(['A weaker configuration was accepted by token:operator']);
  });

  test('a channel that could not be told is named, and that nothing will tell it later', async () => {
    write(webhooks('http://127.0.0.1:1/'));
    expect((await here.accept()).exit).toBe(0);
    write('notify: { webhooks: [] }\n');
    const done = await here.accept();
    expect(done).toMatchObject({ exit: 0 });
    expect(done.out.replace(/\s+/g, ' ')).toContain(
      'webhook:team could not be notified yet. It is no longer configured: notify its readers yourself.',
    );
  });
});

test('without an operator a weaker one is accepted, and told', async () => {
  using here = makeInstallation({ inProcess: true });
  using channel = await receiver();
  here.environment['TEAM_SECRET'] = SECRET;
  here.environment['HONE_AGENT'] = '1';
  writeFileSync(join(here.repository, 'hone.yaml'), webhooks(channel.url));
  await here.stateDir();
  delete here.environment['HONE_AGENT'];
  expect((await here.hone('status')).out).toContain('There is no operator yet');
  writeFileSync(join(here.repository, 'hone.yaml'), 'notify: { webhooks: [] }\n');
  expect((await here.accept('anybody')).exit).toBe(0);
  expect(channel.titles).toEqual(['A weaker configuration was accepted by operator@example.org']);
});

describe('what was not seen is not accepted', () => {
  const PORT = 'server: { port: 5555 }\n';
  const make = async () => {
    const here = makeInstallation({ inProcess: true });
    writeFileSync(join(here.repository, 'hone.yaml'), '{}\n');
    await here.stateDir();
    writeFileSync(join(here.repository, 'hone.yaml'), PORT);
    return here;
  };

  test('without a digest it lists the changes and says the command, which then works', async () => {
    using here = await make();
    const listed = await here.hone('config', 'accept');
    expect(listed.exit).toBe(1);
    expect(listed.out).toContain('server.port: 4663 → 5555');
    const command = /hone (config accept --digest [0-9a-f]{12})\n/.exec(
      listed.out.replace(/\n(?=\S+\n$)/, ' '),
    )!;
    const json = contracts.configAcceptJson.parse(
      (await here.hone('config', 'accept', '--json')).json(),
    );
    expect(json).toMatchObject({
      accepted: false,
      changes: [{ key: 'server.port', weakens: false }],
    });
    expect((await here.hone(...command[1]!.split(' '))).exit).toBe(0);
  });

  test('a digest of something else, or too little of one, accepts nothing', async () => {
    using here = await make();
    const shown = contracts.configShowJson.parse(
      (await here.hone('config', 'show', '--json')).json(),
    );
    writeFileSync(join(here.repository, 'hone.yaml'), `${PORT}monitor: { errorRate: 10 }\n`);
    const refused = await here.honeAsOperator('config', 'accept', '--digest', shown.file!);
    expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(refused.err.replace(/\s+/g, ' ')).toContain('It was edited again');
    writeFileSync(join(here.repository, 'hone.yaml'), PORT);
    const short = ['config', 'accept', '--digest', shown.file!.slice(7, 18)];
    expect((await here.hone(...short)).exit).toBe(2);
    expect((await here.hone(...short.slice(0, 3), shown.file!.slice(7, 19))).exit).toBe(0);
  });

  test.each([
    ['yes', 0],
    ['', 1],
    ['no', 1],
  ])('at a terminal "%s" to what is shown ends with %d', async (answer, exit) => {
    using here = await make();
    const { io, said } = captureIo({ ask: async () => answer });
    const surroundings = {
      ...processSurroundings(),
      environment: here.environment,
      cwd: here.repository,
      io,
    };
    const ended = await runCli(['config', 'accept'], (json) =>
      makeContext(json, 'test', surroundings),
    );
    expect(ended).toBe(exit);
    expect(said.err).toContain('server.port: 4663 → 5555');
  });
});

test('every key is either harmless by its own word or has a value that takes an operator', () => {
  const schema = composeSections(honeSections);
  const harmless = leavesOf(schema)
    .filter(({ weakens }) => weakens === 'never')
    .map(({ path }) => path.join('.'));
  const fixed = [...FIXED_GATES.keys()].map((gate) => `switches.${gate}`);
  // A key that joins this list lets anybody change it: say here why nothing rests on it.
  expect(harmless.filter((key) => !fixed.includes(key))).toEqual(['server.port']);
  const read = (text: string) => expectConfig(parseConfig(text, 'hone.yaml', schema)).config;
  expect(weakenedKeys(schema, read('{}'), read('server: { port: 1 }\n'))).toEqual([]);
});
