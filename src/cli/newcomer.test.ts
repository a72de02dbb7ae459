/** What somebody meets who sets Hone up for the first time: it says what is missing before it matters. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../test/cli.ts';
import * as contracts from '../contracts/index.ts';
import { openRepository } from '../git/index.ts';
import {
  agentFile,
  calls,
  fileAt,
  makeTarget,
  SETTINGS,
  type Target,
} from './target.test-support.ts';

const FILE = 'agents/researcher.yaml';
const FILES = { [FILE]: agentFile('researcher', 'web_search') };

const plain = (text: string) => text.replace(/\s+/g, ' ');
const configFile = ({ repository }: Target) => join(repository, 'hone.yaml');

describe('CONFIG-2: the closing words of hone init', () => {
  test('name telemetry first, with the command, and what to do then', async () => {
    using target = await makeTarget(FILES);
    const { out } = await target.hone('init');
    const next = out.slice(out.indexOf('Next:'));
    expect(plain(next)).toContain('written into hone.yaml: hone sources add <path>');
    expect(next).toContain('hone look <path>');
    expect(next).toMatch(/^ +1\. +Say where your agents' telemetry is/m);
    expect(next.indexOf('hone config accept')).toBeLessThan(next.indexOf('hone cycle'));
    expect(next).not.toContain('No agent files');
    expect(next).not.toContain('checked out');
    expect(
      out.split('\n').filter((line) => line.length > 80 && !/State|hone\.local/.test(line)),
    ).toEqual([]);
  });

  test('name nothing that is there already', async () => {
    using target = await makeTarget(FILES);
    writeFileSync(configFile(target), SETTINGS);
    const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
    expect(made.next).toEqual([
      'Look for something to fix: hone cycle',
      'Let it run by itself: hone up',
    ]);
  });

  test('say that no agent files were found, and that there is no commit', async () => {
    using target = await makeTarget({});
    const { out } = await target.hone('init');
    expect(plain(out)).toContain('No agent files were found. Name the files that Hone may tune.');
    expect(plain(out)).toContain('has no commit on a branch main');
  });

  test('a branch that is checked out is said at init, in status and by config check', async () => {
    using target = await makeTarget(FILES, { checkedOut: true });
    const told = `The branch main is checked out at ${target.repository}`;
    const init = plain((await target.hone('init')).out);
    expect(init).toContain(told);
    expect(init).toContain('a clone or a bare repository of its own');
    expect(plain((await target.hone('config', 'check')).out)).toContain(told);
    expect(plain((await target.hone('status')).out)).toContain(told);
    const shown = contracts.statusJson.parse((await target.hone('status', '--json')).json());
    expect(shown.checkedOut).toEqual({ branch: 'main', folder: target.repository });
    execFileSync('git', ['-C', target.repository, 'checkout', '-q', '-f', '-b', 'work']);
    const left = contracts.statusJson.parse((await target.hone('status', '--json')).json());
    expect(left.checkedOut).toBeNull();
    expect((await target.hone('init')).out).not.toContain('checked out');
  });
});

describe('agentFiles that name nothing to tune', () => {
  const settings = (...globs: string[]) =>
    `${SETTINGS.slice(0, SETTINGS.indexOf('target'))}target:\n  agentFiles: ${JSON.stringify(globs)}\n`;

  test.each([
    [['agent/*.yaml', 'x/*', 'y/*'], '3 globs match 0 files at main'],
    [
      ['README.md'],
      '1 glob of target.agentFiles matches 1 file at main, none of them in a format that Hone reads',
    ],
    [['broken/*'], 'matches 3 files at main, and none of the 3 with settings can be read'],
    [
      ['agents/*', 'agnts/*'],
      '1 of 2 globs of target.agentFiles matches 0 files at main: agnts/*.',
    ],
  ])('%j: config check and cycle say "%s"', async (globs, words) => {
    using target = await makeTarget({
      ...FILES,
      'README.md': '# Agents\n',
      'broken/syntax.yaml': 'a: [1\nb: }',
      'broken/large.json': `[${'1,'.repeat(600_000)}1]`,
      'broken/tagged.yaml': '!!binary [',
    });
    writeFileSync(configFile(target), settings(...globs));
    target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
    await target.installation.stateDir();
    const checked = await target.hone('config', 'check');
    expect(checked.exit).toBe(0);
    expect(plain(checked.out)).toContain('hone.yaml is valid.');
    expect(plain(checked.out)).toContain(words);
    expect(plain((await target.hone('cycle')).out)).toContain(words);
  });

  test('nothing is said where every glob names a file that is read', async () => {
    using target = await makeTarget(FILES);
    writeFileSync(configFile(target), SETTINGS);
    expect((await target.hone('config', 'check')).out).toBe('hone.yaml is valid.\n');
    const json = contracts.configCheckJson.parse(
      (await target.hone('config', 'check', '--json')).json(),
    );
    expect(json).toEqual({ file: 'hone.yaml', valid: true, warnings: [], problems: [] });
  });
});

describe('a bare repository', () => {
  test('init, cycle, approve, deploy and roll back, with hone.yaml in the state folder', async () => {
    using target = await makeTarget({});
    const { environment } = target.installation;
    const bare = join(dirname(target.repository), 'agents.git');
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', bare], { env: environment });
    await using repository = await openRepository({ root: bare, durable: false });
    const content = Buffer.from(FILES[FILE]!);
    const tree = await repository.writeFiles(undefined, [{ path: FILE, content }]);
    const author = { name: 'Operator', email: 'operator@example.org', atMs: Date.UTC(2026, 0, 1) };
    const first = await repository.commit({ tree, parents: [], message: 'Agents\n', author });
    await repository.moveRef('refs/heads/main', first, undefined);
    const below = join(bare, 'refs', 'heads');
    mkdirSync(below, { recursive: true });
    const hone = (more: Record<string, string>, ...args: string[]) =>
      runHere(args, args[0] === 'status' ? below : bare, {
        environment: { ...environment, ...more },
      });

    const made = contracts.initJson.parse((await hone({}, 'init', '--json')).json());
    expect(made).toMatchObject({ root: bare, configFile: 'written' });
    const file = join(made.stateDir, 'hone.yaml');
    expect(existsSync(file)).toBe(true);
    expect(existsSync(join(bare, 'hone.yaml'))).toBe(false);
    expect(made.next.join('\n')).toContain(file);
    expect(made.next.join('\n')).not.toMatch(/No agent files|checked out/);
    expect((await hone({}, 'config', 'check')).out).toContain(`${file} is valid.`);
    expect((await hone({}, 'init')).out).toContain('Already set up; nothing was changed.');

    // Relative paths start from the folder of hone.yaml.
    writeFileSync(file, SETTINGS.replace('../events.jsonl', 'events.jsonl'));
    writeFileSync(
      join(made.stateDir, 'events.jsonl'),
      calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }),
    );
    const token = { HONE_TOKEN: made.token!.secret };
    const seen = contracts.configShowJson.parse(
      (await hone({}, 'config', 'show', '--json')).json(),
    );
    expect((await hone(token, 'config', 'accept', '--digest', seen.file!)).exit).toBe(0);
    expect((await hone({}, 'cycle')).out).toContain('proposed:');
    const listed = await hone({}, 'proposals', 'list', '--json');
    const [proposal] = contracts.proposalsListJson.parse(listed.json()).proposals;
    const approved = await hone(token, 'approve', proposal!.id, '--digest', proposal!.digest);
    expect(plain(approved.out)).toContain('main moved from');
    expect(await fileAt(bare, FILE)).not.toBe(FILES[FILE]);
    const status = contracts.statusJson.parse((await hone({}, 'status', '--json')).json());
    expect(status).toMatchObject({ root: bare, configuration: 'accepted', checkedOut: null });
    const back = await hone(token, 'rollback', proposal!.id, '--reason', 'only a try');
    expect(back.exit).toBe(0);
    expect(await fileAt(bare, FILE)).toBe(FILES[FILE]);
  });
});
