/** What every command that only looks says at 40, 80 and 120 columns, and in a pipe. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { runHere } from '../../test/cli.ts';
import { parts } from '../../test/stores.ts';
import { makeContext } from '../compose/context.ts';
import * as contracts from '../contracts/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';
import { displayWidth } from './display-width.ts';
import { buildProgram } from './program.ts';
import { agentFile, calls, makeTarget, SETTINGS, type Target } from './target.test-support.ts';

const WIDTHS = [40, 80, 120] as const;
const KEY = `deploy/p_0123456789abcdefghjkmnpqrs/open/${'refs-heads-main'.repeat(3)}`;
const ERROR =
  'The forge answered 502 and then closed the connection; nobody knows whether the request that opens the change arrived there before that happened.';

const LOOKS: readonly (readonly string[])[] = [
  ['init'],
  ['policy', 'check', '--range', 'main..main'],
  ['status'],
  ['doctor'],
  ['cycle'],
  ['proposals', 'list'],
  ['proposals', 'show'],
  ['proposals', 'diff'],
  ['patterns', 'list'],
  ['patterns', 'show'],
  ['diagnose'],
  ['changes', 'list'],
  ['config', 'show'],
  ['config', 'show', '--all'],
  ['config', 'check'],
  ['config', 'accept'],
  ['outbox', 'list'],
  ['outbox', 'show'],
  ['ledger', 'show'],
  ['ledger', 'verify'],
  ['ledger', 'prove', '1'],
  ['ledger', 'rebuild'],
  ['ledger', 'checkpoint'],
  ['sources', 'list'],
  ['sources', 'check'],
  ['events', 'list'],
  ['events', 'count'],
  ['events', 'show'],
  ['traces', 'list'],
  ['traces', 'show'],
  ['look'],
  ['schedule', 'list'],
  ['trigger', 'list'],
  ['retention', 'show'],
  ['switch', 'list'],
  ['tiers', 'list'],
  ['health'],
  ['token', 'list'],
  ['asks', 'list'],
  ['feedback', 'list'],
  ['gateway', 'tools'],
  ['task', 'list'],
  ['task', 'show'],
  ['checkpoint', 'validate'],
  ['hooks', 'probe'],
];

/** Commands that change something, or write a document to be kept. */
const ACTS = new Set(
  [
    'up, demo, proposals release, approve, reject, rollback, settle, stop-all, resume',
    'watch close, tiers on, tiers off, tiers reset',
    'switch set, token add, token revoke, token reset, ledger export, outbox settle, backup, restore',
    'trigger request, retention run, patterns ignore, patterns forget, patterns merge',
    'proposals modify, proposals request-changes, proposals escalate',
    'proposals pause, proposals resume, proposals abort',
    'sources add, ingest, collect, sanitize, open, propose',
    'task start, task advance, task back, task bind, task release, task accept-prompts',
    'task pull-request, evidence run, evidence add, claim check, gateway accept',
    'mcp gateway, mcp serve, hooks install, hooks off, hook',
  ].flatMap((names) => names.split(', ')),
);

/** They need a change at the target, a pack of evidence, a question or a server, which this installation has not. */
const OF_OTHERS = [
  'changes show',
  'watch show',
  'evidence show',
  'evidence verify',
  'asks show',
  'gateway show',
  'task prompt',
];

/** Every id and word, whatever stands beside it. How much room the disk has changes from one look to the next. */
const wordsIn = (text: string) =>
  new Set(
    text
      .replace(/[\d.]+(\s+GB\s+free)/, 'some$1')
      .split(/\s+/)
      .filter((word) => word !== ''),
  );

/** One word, or one command to be copied. */
const UNCUTTABLE = /^(?:#)? *(?:\S+|hone .*|Usage: hone .*|[^ "]*"hone [^"]*"\S*)$/;

function tooWide(text: string, columns: number, document: readonly string[] = []): string[] {
  const whole = new Set(document);
  return text
    .split('\n')
    .filter((line) => displayWidth(line) > columns && !UNCUTTABLE.test(line) && !whole.has(line));
}

describe('an installation with something to show', () => {
  let target: Target;
  let proposal: string;
  let pattern: string;
  let event: string;
  let task: string;
  const at = (columns: number, ...args: string[]) => {
    const { environment } = target.installation;
    return runHere(args, target.repository, { environment, columns });
  };
  const json = async (...args: string[]) => (await at(Infinity, ...args, '--json')).json();
  const diffLines = async () => (await at(Infinity, 'proposals', 'diff', proposal)).out.split('\n');

  beforeAll(async () => {
    target = await makeTarget({
      'agents/researcher.yaml': agentFile('researcher', 'web_search'),
      'agents/reader.yaml': agentFile('reader', 'fetch_page'),
    });
    writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
    const { stateDir } = contracts.initJson.parse(await json('init'));
    const untilMs = Date.now();
    target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs }));
    // In other minutes than the first: tools that fail in the same ones look like an outage.
    target.append(calls({ agent: 'reader', tool: 'fetch_page', untilMs: untilMs - 180_000 }));
    target.append('{"not": "an event"}\n');
    await at(40, 'cycle');
    const list = contracts.proposalsListJson.parse(await json('proposals', 'list'));
    proposal = list.proposals[0]!.id;
    pattern = contracts.patternsListJson.parse(await json('patterns', 'list')).patterns[0]!.id;
    event = contracts.eventsListJson.parse(await json('events')).events[0]!.id;
    task = contracts.taskJson.parse(await json('task', 'start', 'Mend the tries of web_search')).id;
    await deadEffect(join(stateDir, 'control.db'));
  });
  afterAll(() => target[Symbol.dispose]());

  /** Files and other documents are shown as they are. */
  const documents: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    'proposals show': diffLines,
    'proposals diff': diffLines,
    'config show': async () => {
      const { config } = contracts.configShowJson.parse(await json('config', 'show', '--all'));
      return stringify(config).split('\n');
    },
    'outbox show': async () => {
      const { payload } = contracts.outboxShowJson.parse(await json('outbox', 'show', KEY));
      return JSON.stringify(payload, null, 2).split('\n');
    },
    'ledger checkpoint': async () => (await at(Infinity, 'ledger', 'checkpoint')).out.split('\n'),
  };

  /** Those whose details are left out on a terminal where they are many. */
  const SHORTENED = ['ledger show', 'events list', 'traces show', 'look'];

  test.each(LOOKS.map((given) => [given.join(' ')]))(
    'hone %s fits every terminal, and is whole in a pipe',
    async (command) => {
      const given = command.split(' ');
      const name = given.slice(0, 2).join(' ');
      const argument = {
        'proposals show': proposal,
        'proposals diff': proposal,
        'patterns show': pattern,
        'outbox show': KEY,
        'events show': event,
        'traces show': 'researcher-7',
        'task show': task,
        'checkpoint validate': task,
        look: join(target.repository, '../events.jsonl'),
      };
      const args = [
        ...given,
        ...(name in argument ? [argument[name as keyof typeof argument]] : []),
      ];
      const document = (await documents[name]?.()) ?? [];
      const pipe = await at(Infinity, ...args);
      expect(pipe.out).not.toMatch(/…$/m);
      expect(pipe.out).not.toBe('');
      for (const columns of WIDTHS) {
        const { out, err, exit } = await at(columns, ...args);
        expect(exit).toBe(pipe.exit);
        expect(tooWide(`${out}\n${err}`, columns, document), `${columns} columns`).toEqual([]);
        if (SHORTENED.includes(name)) continue;
        expect(wordsIn(out)).toEqual(wordsIn(pipe.out));
      }
    },
  );

  test('JSON is the same document at every width', async () => {
    for (const args of [['proposals', 'list'], ['outbox', 'list'], ['statsu']]) {
      const [narrow, pipe] = [
        await at(40, ...args, '--json'),
        await at(Infinity, ...args, '--json'),
      ];
      expect(narrow.out).toBe(pipe.out);
    }
  });

  test.each([...WIDTHS, Infinity])(
    'at %d columns every id of a list is one its show takes',
    async (columns) => {
      const { proposals } = contracts.proposalsListJson.parse(await json('proposals', 'list'));
      const { effects } = contracts.outboxListJson.parse(await json('outbox', 'list'));
      expect([proposals.length, effects.length].every((count) => count > 0)).toBe(true);
      const listed = {
        proposals: wordsIn((await at(columns, 'proposals', 'list')).out),
        outbox: wordsIn((await at(columns, 'outbox', 'list')).out),
      };
      for (const { id } of proposals) expect(listed.proposals).toContain(id);
      for (const { key } of effects) expect(listed.outbox).toContain(key);
      expect((await at(columns, 'outbox', 'show', effects[0]!.key)).exit).toBe(0);
      const shown = await at(columns, 'proposals', 'show', proposals[0]!.id);
      expect(wordsIn(shown.out)).toContain(proposals[0]!.digest);
      expect(shown.out).toMatch(/^ +hone approve p_\w+ --digest [0-9a-f]{12}$/m);
    },
  );

  test.each(WIDTHS)('at %d columns ledger entries name their subject whole', async (columns) => {
    const { entries } = contracts.ledgerShowJson.parse(await json('ledger', 'show'));
    const words = wordsIn((await at(columns, 'ledger', 'show')).out);
    for (const { subject, type } of entries) {
      expect(words).toContain(subject);
      expect(words).toContain(type);
    }
  });

  test.each(WIDTHS)('refusals and mistakes fit %d columns', async (columns) => {
    for (const args of [
      ['proposals', 'show', 'p_nothing'],
      ['outbox', 'show', `${KEY}x`],
      ['outbox', 'settle', KEY, 'perhaps'],
      ['statsu'],
      ['ledger', 'prove', '100000'],
      ['approve', proposal, '--digest', '000000000000'],
    ]) {
      const { out, err, exit } = await at(columns, ...args);
      expect([args, out, exit === 0]).toEqual([args, '', false]);
      expect(tooWide(err, columns)).toEqual([]);
    }
  });

  test.each(WIDTHS)('a file with mistakes is told in %d columns', async (columns) => {
    const file = join(target.repository, 'hone.yaml');
    writeFileSync(file, `${SETTINGS}servr: 1\nlease: { ttl: soon }\n`);
    for (const args of [
      ['config', 'check'],
      ['config', 'accept'],
      ['config', 'show'],
      ['status'],
    ]) {
      const { out, err } = await at(columns, ...args);
      const document = (await documents['config show']?.()) ?? [];
      expect(tooWide(out + err, columns, document)).toEqual([]);
    }
    rmSync(file);
    writeFileSync(file, SETTINGS);
  });
});

test.each(WIDTHS)('what commands say that change something fits %d columns', async (columns) => {
  using target = await makeTarget({
    'agents/researcher.yaml': agentFile('researcher', 'web_search'),
  });
  const { repository, installation } = target;
  writeFileSync(join(repository, 'hone.yaml'), SETTINGS);
  const environment: Record<string, string> = { ...installation.environment };
  const at = async (...args: string[]) => {
    const ran = await runHere(args, repository, { environment, columns });
    expect(tooWide(ran.out + ran.err, columns), args.join(' ')).toEqual([]);
    return ran;
  };
  const { out } = await at('init');
  environment['HONE_TOKEN'] = /hone_\w+/.exec(out)![0];
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  await at('cycle');
  const listed = await runHere(['proposals', 'list', '--json'], repository, { environment });
  const { proposals } = contracts.proposalsListJson.parse(listed.json());
  const { id, digest } = proposals[0]!;
  for (const args of [
    ['approve', id, '--digest', digest.slice(7, 19)],
    ['rollback', id, '--reason', 'enough of it was seen'],
    ['token', 'add', 'guest', '--role', 'viewer'],
    ['token', 'revoke', 'guest'],
    ['switch', 'set', 'vetting', 'observe', '--reason', 'to look'],
    ['trigger', 'request', '--reason', 'the search is slower than it was last week'],
    ['trigger', 'list'],
    ['retention', 'run'],
    ['stop-all', '--reason', 'to look at what happened here before anything else does'],
    ['stop-all'],
    ['resume'],
    ['ledger', 'export', '--output', join(repository, '..', 'entries.jsonl')],
    ['backup', '--output', join(repository, '..', 'backup')],
  ]) {
    expect([args, (await at(...args)).exit]).toEqual([args, 0]);
  }
});

/** One that only a person can settle; its key is the argument of "hone outbox settle". */
async function deadEffect(path: string): Promise<void> {
  const migrations = controlMigrations;
  const store = await openSqlite({ path, synchronous: 'full', migrations, parts });
  const effect = { key: KEY, destination: 'forge', step: 'deploy' } as const;
  await store.commit({ effects: [{ ...effect, payload: { title: 'a change' } }] });
  const set = { state: 'uncertain', attempts: 3, error: ERROR };
  await store.commit({ writes: [{ update: 'outbox_effects', where: { key: KEY }, set }] });
  await store.close();
}

describe('help', () => {
  const program = buildProgram(
    undefined,
    (json) => makeContext(json, 'test'),
    () => {},
  );
  const paths = (command: Command, path: readonly string[]): string[][] => [
    [...path],
    ...command.commands.flatMap((child) => paths(child, [...path, child.name()])),
  ];

  test('every command is one that is looked at above, or one that acts', () => {
    const names = paths(program, []).map((path) => path.join(' '));
    const isGroup = (name: string) => names.some((other) => other.startsWith(`${name} `));
    const looks = LOOKS.map((given) => given.slice(0, 2).join(' '));
    const known = new Set([...looks, ...ACTS, ...OF_OTHERS]);
    expect(names.filter((name) => name !== '' && !isGroup(name) && !known.has(name))).toEqual([]);
  });

  test.each(WIDTHS)(
    'of every command fits %d columns and says the same as in a pipe',
    async (columns) => {
      const all = paths(program, []);
      expect(all.length).toBeGreaterThan(30);
      for (const path of all) {
        const at = (width: number) =>
          runHere([...path, '--help'], '/', { environment: {}, columns: width });
        const { out } = await at(columns);
        expect(out).toContain(`Usage: ${['hone', ...path].join(' ')}`);
        expect(tooWide(out, columns)).toEqual([]);
        expect(wordsIn(out)).toEqual(wordsIn((await at(Infinity)).out));
      }
    },
  );
});
