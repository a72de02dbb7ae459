/** Connecting telemetry, reading it in, looking at single events, writing it out: `hone sources add` to `hone collect`. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../test/cli.ts';
import { isoTime, ManualClock } from '../base/index.ts';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS, type Target } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };
const plain = (text: string) => text.replace(/\s+/g, ' ');
const timedOut = (agent = 'researcher') =>
  calls({ agent, tool: 'web_search', untilMs: Date.now(), message: 'no: password=hunter2xyz' });

async function setUp(settings = SETTINGS): Promise<Target> {
  const target = await makeTarget(FILES);
  writeFileSync(join(target.repository, 'hone.yaml'), settings);
  await target.installation.stateDir();
  return target;
}

const beside = ({ repository }: Target, name: string) => join(dirname(repository), name);
const config = ({ repository }: Target) => readFileSync(join(repository, 'hone.yaml'), 'utf8');

describe('hone sources add', () => {
  test('recognises, shows three events, writes the entry, and comments stay', async () => {
    using target = await setUp('# Ours.\ntarget:\n  agentFiles: ["agents/*.yaml"] # these\n');
    mkdirSync(join(target.repository, 'logs'));
    writeFileSync(join(target.repository, 'logs/a.jsonl'), `${timedOut()}oops\n`);
    const dry = await target.hone('sources', 'add', 'logs', '--dry-run', '--json');
    const shown = contracts.sourceAddedJson.parse(dry.json());
    expect(shown).toMatchObject({
      entry: { name: 'logs', path: 'logs' },
      written: false,
      files: 1,
      eventsSeen: 250,
      asideSeen: 1,
    });
    expect(shown.events).toHaveLength(3);
    expect(config(target)).not.toContain('observe');
    const { exit, out } = await target.hone('sources', 'add', 'logs');
    expect(exit).toBe(0);
    expect(out).toContain('hone config accept');
    expect(out).not.toContain('hunter2xyz');
    expect(config(target)).toBe(
      '# Ours.\ntarget:\n  agentFiles: ["agents/*.yaml"] # these\n\nobserve:\n  sources:\n    - {name: logs, path: logs}\n',
    );
    const again = await target.hone('sources', 'add', 'logs', '--json');
    expect(contracts.sourceAddedJson.parse(again.json())).toMatchObject({ written: false });
    expect((await target.installation.accept()).exit).toBe(0);
    expect((await target.hone('cycle')).out).toContain('Read 250 new events');
    const check = await target.hone('sources', 'check', 'logs');
    expect([check.exit, plain(check.out)]).toEqual([
      0,
      expect.stringContaining('Nothing is wrong'),
    ]);
  });

  test('what is nothing, unknown or badly named is refused, and says what to do', async () => {
    using target = await setUp();
    writeFileSync(join(target.repository, 'x.csv'), 'a,b,c\n1,2,hush\n');
    const refused = async (...args: string[]) => {
      const { exit, err, out } = await target.hone('sources', 'add', ...args);
      expect(out).toBe('');
      return [exit, plain(err)] as const;
    };
    expect((await refused('nowhere'))[1]).toContain('There is nothing at');
    const [exit, unknown] = await refused('x.csv');
    expect(exit).toBe(2);
    expect(unknown).toContain('a table with the columns a, b, c');
    expect(unknown).toContain('--kind: jsonl');
    expect(unknown).not.toContain('hush');
    expect((await refused('x.csv', '--kind', 'rocket'))[1]).toContain('There is no kind rocket');
    target.append(timedOut());
    expect((await refused('../events.jsonl', '--name', 'a b'))[1]).toContain('name has up to 60');
    expect(config(target)).toBe(SETTINGS);
  });

  test('an address is the receiver: what to set in the exporter', async () => {
    using target = await setUp();
    const { exit, out } = await target.hone('sources', 'add', 'http://127.0.0.1:4318/v1/traces');
    expect(exit).toBe(0);
    expect(out).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318\n');
    expect(config(target)).toBe(SETTINGS);
  });

  test('hone init --source writes and accepts it; without it, it is named', async () => {
    using target = await makeTarget(FILES);
    mkdirSync(join(target.repository, 'logs'));
    writeFileSync(join(target.repository, 'logs/a.jsonl'), timedOut());
    const { out } = await target.hone('init', '--source', 'logs');
    expect(out).toContain('hone cycle');
    expect(config(target)).toContain('{name: logs, path: logs},');
    expect((await target.hone('cycle')).out).toContain('Read 250 new events');

    using other = await makeTarget(FILES);
    mkdirSync(join(other.repository, 'logs'));
    writeFileSync(join(other.repository, 'logs/a.jsonl'), timedOut());
    expect(plain((await other.hone('init')).out)).toContain('hone sources add logs');
    expect(config(other)).not.toContain('path: logs');
  });
});

test('a source of the wrong kind of files: check says what they look like, and exits 1', async () => {
  using target = await setUp();
  target.append('{"level":"error"}\n'.repeat(3));
  await target.hone('cycle');
  const run = await target.hone('sources', 'check', '--json');
  expect(run.exit).toBe(1);
  const [source] = contracts.sourcesCheckJson.parse(run.json()).sources;
  expect(source!.problems).toContain('Not one line of it was an event.');
  expect(source!.found).toEqual([{ file: '~/events.jsonl', what: 'not recognised' }]);
  expect((await target.hone('sources', 'check', 'nobody')).exit).toBe(2);
});

describe('hone ingest', () => {
  test('OBS-10 reads a folder under a name, nothing twice, and goes on with what is new', async () => {
    using target = await setUp();
    const folder = beside(target, 'old');
    mkdirSync(join(folder, 'deep'), { recursive: true });
    writeFileSync(join(folder, 'deep/a.jsonl'), timedOut());
    writeFileSync(join(folder, 'notes.txt'), 'hello\n');
    const read = async (...args: string[]) => {
      const run = await target.hone('ingest', folder, '--json', ...args);
      expect(run.exit).toBe(0);
      return contracts.ingestJson.parse(run.json());
    };
    expect(await read()).toMatchObject({
      sources: [{ name: 'old', kind: 'jsonl', files: 1 }],
      events: 250,
      notRecognised: [{ looksLike: 'plain text', files: 1 }],
    });
    expect(await read()).toMatchObject({ events: 0, aside: 0 });
    writeFileSync(join(folder, 'deep/a.jsonl'), timedOut('writer'), { flag: 'a' });
    expect(await read()).toMatchObject({ events: 250 });
    const { sources } = contracts.sourcesListJson.parse(
      (await target.hone('sources', '--json')).json(),
    );
    expect(sources.find(({ name }) => name === 'old')).toMatchObject({ kind: null, events: 500 });
    expect(await read('--as', 'again', '--since', '2h')).toMatchObject({
      sources: [{ name: 'again' }],
    });
    expect((await target.hone('ingest', folder, '--format', 'rocket')).exit).toBe(2);
    expect((await target.hone('ingest', beside(target, 'nothing'))).exit).toBe(2);
  });

  test('- reads standard input, and the same again counts nothing', async () => {
    using target = await setUp();
    const main = new URL('../main.ts', import.meta.url).pathname;
    const { environment } = target.installation;
    const piped = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(process.execPath, [main, 'ingest', '-', '--as', 'pipe', '--json'], {
          cwd: target.repository,
          env: environment,
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        let out = '';
        child.stdout.on('data', (chunk) => {
          out += chunk;
        });
        child.on('error', reject);
        child.on('close', () => resolve(out));
        child.stdin.end(text);
      });
    const text = timedOut();
    const first = contracts.ingestJson.parse(JSON.parse(await piped(text)));
    expect(first).toMatchObject({ events: 250, sources: [{ name: 'pipe', kind: 'jsonl' }] });
    expect(contracts.ingestJson.parse(JSON.parse(await piped(text)))).toMatchObject({ events: 0 });
  });
});

describe('events and traces', () => {
  test('events by filter, one by its id, a session as a tree with its first error', async () => {
    using target = await setUp();
    target.append(timedOut());
    await target.hone('cycle');
    const list = async (...args: string[]) =>
      contracts.eventsListJson.parse((await target.hone('events', '--json', ...args)).json());
    expect((await list()).events).toHaveLength(20);
    const { events, more } = await list('--failed', '--tool', 'web_search', '--limit', '5');
    expect([events.length, more]).toEqual([5, true]);
    expect(events.every(({ failed }) => failed)).toBe(true);
    expect((await list('--text', 'nothing like it')).events).toEqual([]);
    const before = await target.hone('events', '--since', '1m', '--until', '2026-01-01');
    expect([before.exit, plain(before.err)]).toEqual([2, expect.stringContaining('not after')]);
    const { id, session } = events[0]!;
    const shown = contracts.eventsShowJson.parse(
      (await target.hone('events', 'show', id, '--json')).json(),
    );
    expect(shown.event).toMatchObject({ errorMessage: 'no: password=[REDACTED:KEY]' });
    expect((await target.hone('events', 'show', '999999999')).exit).toBe(2);
    const trace = contracts.tracesShowJson.parse(
      (await target.hone('traces', 'show', session, '--json')).json(),
    );
    expect(trace).toMatchObject({
      id: session,
      failed: 1,
      spans: [{ depth: 0, firstError: true, faults: expect.any(Array) }],
      wrongStep: { event: id, sign: 'failure', agreement: 1 },
    });
    const text = plain((await target.hone('traces', 'show', session)).out);
    expect(text).toContain('LIKELY WRONG FIRST ERROR');
    expect(text).toContain('LIKELY WRONG: the first failure that was not made good');
    const { traces } = contracts.tracesListJson.parse(
      (await target.hone('traces', '--failed', '--json', '--limit', '3')).json(),
    );
    expect(traces).toHaveLength(3);
    expect((await target.hone('traces', 'show', 'no-such-session')).exit).toBe(2);
  });
});

describe('hone collect', () => {
  const DAY_MS = 86_400_000;

  test('OBS-6 writes the sanitised events of a window, which are read again as they were', async () => {
    using target = await setUp();
    target.append(timedOut());
    const run = await target.hone('collect', '--since', '24h', '--json');
    expect([run.exit, run.err]).toEqual([0, '']);
    const done = contracts.collectJson.parse(run.json());
    expect(done).toMatchObject({ events: 250, collected: { events: 250, aside: 0 } });
    expect(done.output).toMatch(/^events\/\d{4}-\d\d-\d\d\.jsonl$/);
    const text = readFileSync(join(target.repository, done.output), 'utf8');
    expect(text).not.toContain('hunter2xyz');
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(250);
    const read = await target.hone('ingest', done.output, '--as', 'again', '--json');
    expect(contracts.ingestJson.parse(read.json())).toMatchObject({ events: 250, aside: 0 });
    // The same day again replaces its own file.
    expect((await target.hone('collect', '--since', '24h')).exit).toBe(0);
  });

  test('OBS-6 removes its own files after their time, and nothing else', async () => {
    using target = await setUp();
    const { environment } = target.installation;
    const clock = new ManualClock(Date.now());
    const collect = async (...more: string[]) => {
      const args = ['collect', '--output', 'out/YYYY-MM-DD.jsonl', '--json', ...more];
      const run = await runHere(args, target.repository, { environment, clock });
      expect(run.exit).toBe(0);
      return contracts.collectJson.parse(run.json());
    };
    const first = await collect();
    clock.advance(DAY_MS);
    const second = await collect();
    const theirs = join(target.repository, 'out/2020-01-01.jsonl');
    writeFileSync(theirs, '{}\n');
    utimesSync(theirs, 0, 0);
    writeFileSync(join(target.repository, second.output), 'edited\n');
    clock.advance(31 * DAY_MS);
    const third = await collect();
    expect(third.removed).toEqual([first.output.slice('out/'.length)]);
    expect(third.changed).toEqual([second.output.slice('out/'.length)]);
    expect(existsSync(theirs)).toBe(true);
    expect(
      readdirSync(join(target.repository, 'out')).filter((name) => !name.startsWith('.')),
    ).toHaveLength(3);
    expect(await collect('--keep', '60d')).toMatchObject({ removed: [] });
  });

  test('a file of somebody else is not replaced, and a source’s own folder is refused', async () => {
    using target = await setUp();
    const mine = join(target.repository, 'mine.jsonl');
    writeFileSync(mine, 'mine\n');
    const taken = await target.hone('collect', '--output', 'mine.jsonl');
    expect([taken.exit, readFileSync(mine, 'utf8')]).toEqual([2, 'mine\n']);
    const own = await target.hone('collect', '--output', '../events.jsonl');
    expect([own.exit, plain(own.err)]).toEqual([
      2,
      expect.stringContaining('count these events again'),
    ]);
  });
});

test('hone sanitize prints a text without its secrets, or where they are', async () => {
  using target = await setUp();
  const file = join(target.repository, 'a.log');
  writeFileSync(file, `fine ${isoTime(0)}\npassword=hunter2xyz\nmail bob@example.org\n`);
  const { out, exit } = await target.hone('sanitize', 'a.log');
  expect([exit, out]).toEqual([
    0,
    `fine ${isoTime(0)}\npassword=[REDACTED:KEY]\nmail [REDACTED:EMAIL]\n`,
  ]);
  const report = await target.hone('sanitize', 'a.log', '--report', '--json');
  expect(contracts.sanitizeJson.parse(report.json())).toMatchObject({
    lines: 3,
    replaced: 2,
    kinds: [
      { kind: 'email', count: 1, lines: [3] },
      { kind: 'key', count: 1, lines: [2] },
    ],
  });
  expect((await target.hone('sanitize', 'a.log', '--report')).out).not.toContain('hunter');
  expect((await target.hone('sanitize', '.')).exit).toBe(2);
  expect((await target.hone('sanitize', 'nowhere')).exit).toBe(2);
});
