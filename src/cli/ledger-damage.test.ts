/**
 * What the commands say of a ledger that somebody changed past Hone, and of wrong arguments. The command line
 * runs in this process: there is one set-up installation, and each case works on a copy of its database.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breakIn } from '../../test/ledger.ts';
import { ManualClock, seededRandom } from '../base/index.ts';
import { makeContext } from '../compose/context.ts';
import * as contracts from '../contracts/index.ts';
import { captureIo } from './captured-io.ts';
import { runCli } from './program.ts';

let folder: string;
let stateDir: string;
let control: string;
const START_MS = Date.UTC(2026, 2, 2);
let clock = new ManualClock(START_MS);
let onProgress = () => {};
const random = seededRandom(11);

async function hone(...args: string[]) {
  return honeIn('agents', ...args);
}

/** In a repository of this name, with a state folder of its own. */
async function honeIn(repository: string, ...args: string[]) {
  const { io, said } = captureIo({ progress: () => onProgress() });
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const cwd = join(folder, repository);
  for (const part of ['objects', 'refs/heads'])
    mkdirSync(join(cwd, '.git', part), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const surroundings = { clock, random, environment, cwd, simulated: false, io };
  const exit = await runCli(args, (json) => makeContext(json, '0.0.0', surroundings));
  const { out, err } = said;
  return { exit, out, err, said: (out + err).replace(/\s+/g, ' ') };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hone-damage-'));
  writeFileSync(join(folder, 'gitconfig'), '[user]\n\temail = operator@example.org\n');
  stateDir = contracts.initJson.parse(JSON.parse((await hone('init', '--json')).out)).stateDir;
  control = join(stateDir, 'control.db');
  copyFileSync(control, join(folder, 'good.db'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  onProgress = () => {};
  for (const name of readdirSync(stateDir)) {
    if (name.startsWith('control.db') || name === 'STOP') rmSync(join(stateDir, name));
  }
  copyFileSync(join(folder, 'good.db'), control);
});

async function damage(sql: string): Promise<void> {
  await using intruder = await breakIn('sqlite', control);
  await intruder.run(sql);
}

/** With the triggers in place. */
function run(sql: string): void {
  const database = new DatabaseSync(control);
  database.exec(sql);
  database.close();
}

/** NULLs, which the table does not take, in a table that was made anew. */
function withNull(column: string, index: number): void {
  run(`CREATE TABLE x AS SELECT * FROM ledger_entries; DROP TABLE ledger_entries;
    CREATE TABLE ledger_entries (idx INTEGER PRIMARY KEY, subject TEXT, body TEXT, hashes BLOB);
    INSERT INTO ledger_entries SELECT * FROM x; DROP TABLE x;
    UPDATE ledger_entries SET ${column} = NULL WHERE idx = ${index}`);
}

const set = (change: string, index: number) =>
  `UPDATE ledger_entries SET ${change} WHERE idx = ${index}`;

const DAMAGES: readonly [string, string | (() => void), RegExp][] = [
  ['no JSON', set(`body = 'garbage'`, 0), /Entry 0 /],
  ['another version', set(`body = replace(body, '"v":1', '"v":9')`, 0), /Entry 0 /],
  ['one letter of the key', set(`body = replace(body, '+', '+A')`, 0), /Entry 0 /],
  ['a key it does not name', set(`subject = 'hone:ledger'`, 2), /Entry 2 .* subject/],
  ['another type', set(`body = replace(body, '"type":"', '"type":"x')`, 2), /Entry 2 /],
  ['a time that is none', set(`body = replace(body, '"at":"2', '"at":"x')`, 2), /Entry 2 /],
  ['a year that is none', set(`body = replace(body, '"at":"', '"at":"+01')`, 2), /Entry 2 /],
  ['an empty body', set(`body = ''`, 1), /Entry 1 /],
  ['bytes that are no text', set(`body = CAST(x'fffe7b7d' AS TEXT)`, 0), /Entry 0 /],
  ['no body', () => withNull('body', 0), /Entry 0 /],
  ['no subject', () => withNull('subject', 0), /Entry 0 /],
  ['no hashes', () => withNull('hashes', 2), /Entry 2 /],
  ['empty hashes', set(`hashes = x''`, 1), /Entry 1 /],
  ['no beginning', 'DELETE FROM ledger_entries WHERE idx = 0', /Entry 0 is missing/],
  ['a gap', 'DELETE FROM ledger_entries WHERE idx = 1', /Entry 1 is missing/],
  ['a place far away', set('idx = 1000000000000000', 2), /Entry 2 is missing/],
  ['a place beyond counting', set('idx = 9223372036854775807', 2), /numbered 9223372036854775807/],
  ['a beginning beyond counting', set('idx = 9223372036854775807', 0), /Entry 0 is missing/],
  ['a place before the first', set('idx = -5', 0), /Entry 0 is missing/],
  [
    'a checkpoint beyond counting',
    () => run(`INSERT INTO ledger_checkpoints VALUES (9007199254740993, 'x')`),
    /checkpoint of 9007199254740993/,
  ],
];

describe.each(DAMAGES)('a ledger with %s', (_, crime, finding) => {
  test('is not verified, and every command says so in words', async () => {
    if (typeof crime === 'string') await damage(crime);
    else crime();
    const verify = await hone('ledger', 'verify');
    expect(verify).toMatchObject({ exit: 1, err: '' });
    expect(verify.out).toMatch(/^NOT VERIFIED\n/);
    expect(verify.out.replace(/\s+/g, ' ')).toMatch(finding);
    const shown = JSON.parse((await hone('ledger', 'verify', '--json')).out);
    expect(contracts.ledgerVerifyJson.parse(shown).ok).toBe(false);
    expect((await hone('status')).exit).toBe(0);
    expect((await hone('ledger', 'rebuild')).exit).toBe(1);
    const output = join(folder, 'entries.jsonl');
    const commands = [
      ['ledger', 'show'],
      ['ledger', 'show', '--json'],
      ['ledger', 'export', '--output', output],
      ['ledger', 'checkpoint'],
      ['ledger', 'prove', '0'],
      ['ledger', 'prove', '1', '--consistency'],
      ['init'],
      ['stop-all'],
    ];
    for (const command of commands) {
      rmSync(output, { force: true });
      const { exit, said } = await hone(...command);
      expect([0, 1, 2], `${command.join(' ')}: ${said}`).toContain(exit);
      expect(said).not.toMatch(/defect|TypeError|RangeError|JavaScript|undefined/);
      if (exit !== 0 && !said.startsWith('{')) expect(said).toContain('ledger verify');
    }
  });
});

describe('what can be read of a damaged ledger', () => {
  test('is shown and exported in its place, and what cannot be is marked', async () => {
    await damage(set(`body = 'gar' || char(10) || 'bage'`, 1));
    const text = await hone('ledger', 'show');
    expect(text.exit).toBe(1);
    expect(text.out).toMatch(
      /^ {5}0 {2}.*ledger\.created\n(?: {8}.*\n)+ {5}1 {2}CANNOT BE READ\n {5}2 {2}/,
    );
    const json = JSON.parse((await hone('ledger', 'show', '--json')).out);
    const { entries, damaged } = contracts.ledgerShowJson.parse(json);
    expect(entries.map(({ index }) => index)).toEqual([0, 2]);
    expect(damaged).toEqual([{ kind: 'unreadable', from: 1, to: 1 }]);

    const output = join(folder, 'marked.jsonl');
    const exported = await hone('ledger', 'export', '--output', output, '--json');
    expect(exported.exit).toBe(1);
    expect(contracts.ledgerExportJson.parse(JSON.parse(exported.out))).toEqual({
      output,
      entries: 3,
      damaged: 1,
      firstDamaged: 1,
    });
    const lines = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: 'ledger.created' },
      { unreadable: { index: 1, base64: Buffer.from('gar\nbage').toString('base64') } },
      { type: 'config.accepted' },
    ]);
  });

  test.each([
    [[], [{ kind: 'missing', from: 0, to: 0 }]],
    [['--from', '0'], [{ kind: 'missing', from: 0, to: 0 }]],
    [['--limit', '2'], []],
    [['--subject', 'config:hone.yaml'], []],
  ])('names what is missing among what was asked for (%j)', async (options, missing) => {
    await damage('DELETE FROM ledger_entries WHERE idx = 0');
    const found = await hone('ledger', 'show', '--json', ...options);
    expect(contracts.ledgerShowJson.parse(JSON.parse(found.out)).damaged).toEqual(missing);
    expect(found.exit).toBe(missing.length === 0 ? 0 : 1);
  });

  test('an entry that was altered and can be read is not proven', async () => {
    await damage(set(`body = replace(body, 'operator@', 'intruder@')`, 1));
    const proof = await hone('ledger', 'prove', '1');
    expect(proof).toMatchObject({ exit: 1, out: '' });
    expect(proof.said).toContain('Entry 1 cannot be proven');
    expect((await hone('ledger', 'prove', '0')).exit).toBe(0);
    // The hashes of another entry: what was the beginning is not any more.
    await damage(set('hashes = (SELECT hashes FROM ledger_entries WHERE idx = 2)', 0));
    const beginning = await hone('ledger', 'prove', '1', '--consistency');
    expect(beginning).toMatchObject({ exit: 1, out: '' });
    expect(beginning.said).toContain('The first 1 entries cannot be proven');
  });
});

describe('hone ledger verify --against', () => {
  const against = (name: string, text?: string) => {
    const path = join(folder, name);
    if (text !== undefined) writeFileSync(path, text);
    return hone('ledger', 'verify', '--against', path);
  };

  test.each([
    ['nothing', undefined, 'Cannot read'],
    ['an empty file', '', 'holds no checkpoint'],
    ['some text', 'hello\n', 'holds no checkpoint'],
    ['control characters', '\u0000\u001b[2J', 'holds no checkpoint'],
  ])(
    '%s is a wrong argument: exit 2, and nothing is said of the ledger',
    async (_, text, words) => {
      const found = await against('odd', text);
      rmSync(join(folder, 'odd'), { force: true });
      expect(found).toMatchObject({ exit: 2, out: '' });
      expect(found.said).toContain(words);
    },
  );

  test('a folder, and a file of which a part is a checkpoint, are wrong arguments too', async () => {
    expect(await against('.')).toMatchObject({ exit: 2, out: '' });
    const { out: note } = await hone('ledger', 'checkpoint');
    const half = await against('half', `${note}\n====\n${note.slice(0, -20)}`);
    expect(half).toMatchObject({ exit: 2, out: '' });
    expect(half.said).toContain('holds something that is not a checkpoint');
    expect((await against('whole', `${note}\n====\n${note}`)).exit).toBe(0);
  });

  test('another ledger’s names both, and does not say that this one is bad', async () => {
    await honeIn('others', 'init');
    const { out: note } = await honeIn('others', 'ledger', 'checkpoint');
    const found = await against('theirs', note);
    expect(found).toMatchObject({ exit: 1, err: '' });
    const theirs = note.split('\n')[0]!;
    const own = (await hone('ledger', 'checkpoint')).out.split('\n')[0]!;
    expect(found.out).toMatch(/^NOT COMPARED\n/);
    expect(found.said).toContain(`of another ledger: ${theirs}. This one is ${own}.`);
    for (const line of found.out.split('\n')) {
      expect(line.length <= 80 || !line.includes(' ')).toBe(true);
    }
    // What is wrong here is still said first.
    await damage(set(`body = ''`, 1));
    expect((await against('theirs')).out).toMatch(/^NOT VERIFIED\nEntry 1 /);
  });

  test('one that was altered, or signed with another key under this name, is a finding', async () => {
    const { out: note } = await hone('ledger', 'checkpoint');
    const [origin, size] = note.split('\n');
    const altered = await against('altered', note.replace(`${origin}\n${size}`, `x${origin}\n9`));
    expect(altered.out).toMatch(/^NOT VERIFIED\n/);
    expect(altered.said).toContain('its signature is wrong');
    const { out: theirs } = await honeIn('others', 'ledger', 'checkpoint');
    const renamed = theirs.replaceAll(theirs.split('\n')[0]!, origin!);
    const forged = await against('forged', renamed);
    expect(forged.out).toMatch(/^NOT VERIFIED\n/);
    expect(forged.said).toContain('not signed with a key of this ledger');
  });
});

describe('hone ledger export --output', () => {
  const leftovers = () => readdirSync(folder).filter((name) => name.endsWith('.new'));

  test('writes a new file, and with --json one document', async () => {
    const output = join(folder, 'new.jsonl');
    const done = await hone('ledger', 'export', '--output', output, '--json');
    expect(done).toMatchObject({ exit: 0, err: '' });
    expect(contracts.ledgerExportJson.parse(JSON.parse(done.out))).toEqual({
      output,
      entries: 3,
      damaged: 0,
      firstDamaged: null,
    });
    expect(readFileSync(output, 'utf8').split('\n')).toHaveLength(4);
    const text = await hone('ledger', 'export', '--output', join(folder, 'newer.jsonl'));
    expect(text).toMatchObject({ exit: 0, out: '' });
    expect(text.said).toContain('Wrote 3 entries to');
    expect(leftovers()).toEqual([]);
  });

  test('overwrites nothing, whatever is there: exit 2', async () => {
    const output = join(folder, 'precious');
    writeFileSync(output, 'mine');
    const file = await hone('ledger', 'export', '--output', output);
    expect(file).toMatchObject({ exit: 2, out: '' });
    expect(file.said).toContain('already exists and was not overwritten');
    expect(readFileSync(output, 'utf8')).toBe('mine');
    const place = await hone('ledger', 'export', '--output', folder);
    expect(place.exit).toBe(2);
    expect(place.said).toContain('is a folder');
    const nowhere = await hone(
      'ledger',
      'export',
      '--output',
      join(folder, 'no', 'such'),
      '--json',
    );
    expect(nowhere.exit).toBe(2);
    const { error } = contracts.errorJson.parse(JSON.parse(nowhere.out));
    expect(error.code).toBe('usage');
    expect(error.message).toContain(`There is no folder ${join(folder, 'no')}`);
    expect((await hone('ledger', 'export', '--output', join(output, 'x'))).exit).toBe(2);
    expect(leftovers()).toEqual([]);
  });

  test('has its name when it is whole; a file that somebody makes meanwhile stays theirs', async () => {
    const output = join(folder, 'raced');
    const seen: boolean[] = [];
    onProgress = () => {
      seen.push(existsSync(output), leftovers().length === 1);
      writeFileSync(output, 'theirs');
    };
    const done = await hone('ledger', 'export', '--output', output);
    expect(seen).toEqual([false, true]);
    expect(done).toMatchObject({ exit: 2, out: '' });
    expect(done.said).toContain('already exists');
    expect(readFileSync(output, 'utf8')).toBe('theirs');
    expect(leftovers()).toEqual([]);
  });
});

test('a clock past the year 9999, or before 1970, records nothing, and says what it shows', async () => {
  for (const [repository, atMs, words] of [
    ['late', 253_402_300_800_000, 'says +010000-01-01T00:00:00.000Z, which cannot be right.'],
    ['early', -1, 'says 1969-12-31T23:59:59.999Z, which cannot be right.'],
  ] as const) {
    clock = new ManualClock(atMs);
    const begun = await honeIn(repository, 'init');
    clock = new ManualClock(START_MS);
    expect(begun).toMatchObject({ exit: 4, out: '' });
    expect(begun.said).toContain(words);
    expect(begun.said).not.toContain('defect');
    expect((await honeIn(repository, 'init')).exit).toBe(0);
    expect((await honeIn(repository, 'ledger', 'verify')).exit).toBe(0);
  }
});
