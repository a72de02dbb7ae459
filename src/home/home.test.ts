import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../test/cli.ts';
import { HomeError, type HomeErrorCode } from './errors.ts';
import { findHome } from './home.ts';
import { makePrivateFolder, writePrivateFile, writeWholeFile } from './private-file.ts';
import { witnessFile } from './witness-file.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hone-home-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const at = (...names: string[]) => join(root, ...names);
const makePipe = (path: string) => run(['mkfifo', path], root, { PATH: process.env['PATH'] ?? '' });

function refusedWith(code: HomeErrorCode, work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof HomeError)) throw error;
    expect(error.code).toBe(code);
    expect(error.hint).not.toBe('');
    return error.message;
  }
  return expect.unreachable('it was not refused');
}

describe('where an installation lives', () => {
  const find = (environment: Record<string, string> = { HOME: at('home') }, cwd = at('agents')) =>
    findHome({ cwd, environment });
  beforeEach(() => mkdirSync(at('agents', '.git'), { recursive: true }));

  test('outside the repository, and the same from every folder of it', () => {
    mkdirSync(at('agents', 'deep', 'down'), { recursive: true });
    const { root: found, stateDir } = find();
    expect(found).toBe(at('agents'));
    expect(stateDir.startsWith(at('home', '.local', 'state', 'hone', 'agents-'))).toBe(true);
    expect(find({ HOME: at('home') }, at('agents', 'deep', 'down')).stateDir).toBe(stateDir);
  });

  test.each([{}, { HOME: '' }, { HOME: 'relative' }, { HOME: '', XDG_STATE_HOME: 'relative' }])(
    'no usable folder in %j: the user’s own',
    (environment) => {
      expect(find(environment).stateDir.startsWith(userInfo().homedir)).toBe(true);
    },
  );

  test('never inside the repository: agents that work there must not hold the keys', () => {
    const inside = () => find({ XDG_STATE_HOME: at('agents', 'state') });
    expect(refusedWith('inside_repository', inside)).toContain(at('agents', 'state'));
    expect(find({ XDG_STATE_HOME: at('agents-state') }).root).toBe(at('agents'));
  });

  describe('a bare repository', () => {
    const makeBare = (folder: string, config = '[core]\n\tbare = true\n') => {
      for (const name of ['objects', 'refs', 'hooks'])
        mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(join(folder, 'config'), config);
    };

    test('is one from every folder of it, and hone.yaml lies in the state folder', () => {
      makeBare(at('bare.git'));
      const found = find({ HOME: at('home') }, at('bare.git'));
      expect(found).toMatchObject({ root: at('bare.git'), gitDir: at('bare.git'), isBare: true });
      expect(found.configFile).toBe(join(found.stateDir, 'hone.yaml'));
      expect(find({ HOME: at('home') }, at('bare.git', 'hooks'))).toEqual(found);
      refusedWith('inside_repository', () =>
        find({ XDG_STATE_HOME: at('bare.git', 'state') }, at('bare.git')),
      );
    });

    test('and its linked working trees are one installation', () => {
      makeBare(at('bare.git'));
      mkdirSync(at('bare.git', 'worktrees', 'tree'), { recursive: true });
      writeFileSync(at('bare.git', 'worktrees', 'tree', 'commondir'), '../..\n');
      mkdirSync(at('tree'));
      writeFileSync(at('tree', '.git'), `gitdir: ${at('bare.git', 'worktrees', 'tree')}\n`);
      const linked = find({ HOME: at('home') }, at('tree'));
      expect(linked).toMatchObject({ root: at('tree'), isBare: false });
      expect(linked.id).toBe(find({ HOME: at('home') }, at('bare.git')).id);
    });

    test('is not git’s own folder of a working tree, nor a folder that only looks like one', async () => {
      makeBare(at('agents', '.git'));
      expect(find({ HOME: at('home') }, at('agents', '.git', 'hooks'))).toMatchObject({
        root: at('agents'),
        isBare: false,
      });
      makeBare(at('module'), '[core]\n\tbare = false\n');
      refusedWith('no_repository', () => find({ HOME: root }, at('module')));
      makeBare(at('piped'));
      rmSync(at('piped', 'config'));
      await makePipe(at('piped', 'config'));
      refusedWith('no_repository', () => find({ HOME: root }, at('piped')));
    });
  });

  test('a pipe is no repository, and is not waited for', async () => {
    rmSync(at('agents', '.git'), { recursive: true });
    await makePipe(at('agents', '.git'));
    refusedWith('no_repository', find);
  });

  test('a folder that is gone, and a repository whose main one is', () => {
    refusedWith('no_repository', () => find({ HOME: root }, at('nowhere')));
    writeFileSync(at('agents', '.git', 'commondir'), '../nowhere\n');
    mkdirSync(at('tree'));
    writeFileSync(at('tree', '.git'), `gitdir: ${at('agents', '.git')}\n`);
    refusedWith('no_repository', () => find({ HOME: root }, at('tree')));
  });
});

describe('the state folder', () => {
  test('is its owner’s alone, with all that is above it', () => {
    makePrivateFolder(at('a', 'b', 'c'));
    for (const folder of [at('a'), at('a', 'b'), at('a', 'b', 'c')])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    makePrivateFolder(at('a', 'b', 'c'));
  });

  test('that is a link is used as it is, and refused where others may read it', () => {
    mkdirSync(at('theirs'), { mode: 0o755 });
    chmodSync(at('theirs'), 0o755);
    symlinkSync(at('theirs'), at('link'));
    expect(refusedWith('io', () => makePrivateFolder(at('link')))).toContain('link');
    expect(statSync(at('theirs')).mode & 0o777).toBe(0o755);
    chmodSync(at('theirs'), 0o700);
    makePrivateFolder(at('link'));
  });

  test('that cannot be made is said, also where Node would try for ever', () => {
    writeFileSync(at('file'), '');
    refusedWith('io', () => makePrivateFolder(at('file', 'below')));
    if (existsSync('/proc')) refusedWith('io', () => makePrivateFolder('/proc/hone/state'));
  });
});

describe('files', () => {
  const NEW = { exclusive: true, mode: 0o644 };

  test('are written once and whole', () => {
    expect(writeWholeFile(at('new'), 'one', NEW)).toBe(true);
    expect(writeWholeFile(at('new'), 'two', NEW)).toBe(false);
    expect(readFileSync(at('new'), 'utf8')).toBe('one');
    expect(writePrivateFile(at('new'), 'three', { exclusive: true })).toBe(false);
    expect(writePrivateFile(at('new'), 'three', { exclusive: false })).toBe(true);
    expect(readFileSync(at('new'), 'utf8')).toBe('three');
  });

  test('that do not fit leave nothing behind, and what was there stays', async () => {
    const module = new URL('./private-file.ts', import.meta.url).pathname;
    const script = `
      import { readdirSync, readFileSync } from 'node:fs';
      import { writePrivateFile, writeWholeFile } from '${module}';
      process.on('SIGXFSZ', () => {});
      const refused = (work) => { try { work(); return false; } catch { return true; } };
      writePrivateFile('kept', 'small', { exclusive: false });
      const large = 'x'.repeat(100_000);
      console.log(JSON.stringify([
        refused(() => writePrivateFile('kept', large, { exclusive: false })),
        refused(() => writeWholeFile('other', large, { exclusive: true, mode: 0o644 })),
        readFileSync('kept', 'utf8'),
        readdirSync('.').toSorted(),
      ]));`;
    writeFileSync(at('script.ts'), script);
    const limited = `ulimit -f 8 && exec "${process.execPath}" script.ts`;
    const { out, err } = await run(['bash', '-c', limited], root, {});
    expect([out, err]).toEqual(['[true,true,"small",["kept","script.ts"]]\n', '']);
  });
});

describe('a witness', () => {
  test('keeps notes in order', async () => {
    const witness = witnessFile(at('notes'));
    expect(await witness.read()).toEqual([]);
    await witness.append('one\n');
    await witness.append('two\n');
    expect(await witness.read()).toEqual(['one\n', 'two\n']);
  });

  test('that is a pipe or a folder is refused at once', async () => {
    await makePipe(at('pipe'));
    mkdirSync(at('folder'));
    for (const name of ['pipe', 'folder']) {
      await expect(witnessFile(at(name)).read()).rejects.toThrow(HomeError);
      await expect(witnessFile(at(name)).append('x')).rejects.toThrow(HomeError);
    }
  });
});
