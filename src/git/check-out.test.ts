import { expect, test } from 'vitest';
import { type CheckOutFile, checkOutFiles, staysInside } from './check-out.ts';
import { DEFAULT_GIT_LIMITS } from './limits.ts';
import { temporaryFolder } from './test-repositories.ts';

test('a link may lead up over its own folders and then down, and nowhere else', () => {
  const fine = [
    'f',
    './f',
    '../f',
    '../../f',
    '..',
    '../..',
    'x/y/',
    '../../link/x',
    '...',
    'a..b',
  ];
  for (const target of fine) expect(staysInside('a/b/link', target), target).toBe(true);
  const bad = [
    '',
    '/',
    '/etc/passwd',
    '../../..',
    '../../../x',
    'x/..',
    'x/../../..',
    '../x/../..',
    './../../../x',
    '.git/x',
    '../.GIT/hooks',
    'x//y',
    'a\\b',
    'C:/x',
    '\0',
    'x/./../y',
    '../../link/../..',
  ];
  for (const target of bad) expect(staysInside('a/b/link', target), target).toBe(false);
  expect(staysInside('link', '..')).toBe(false);
});

const hostile = (files: readonly CheckOutFile[], folder: string) =>
  checkOutFiles(folder, files, {
    limits: DEFAULT_GIT_LIMITS,
    sizeOf: () => 1,
    read: async (batch) => batch.map(({ id }) => Buffer.from(id)),
  });

test('trees that no honest git makes write nothing outside, and nothing through a link', async () => {
  const file = (path: string, mode: CheckOutFile['mode'] = '100644', id = 'x') => ({
    path,
    mode,
    id,
  });
  const trees: CheckOutFile[][] = [
    [file('../x')],
    [file('/etc/x')],
    [file('a/../../x')],
    [file('.git/hooks/post-checkout', '100755')],
    [file('.Git/config')],
    [file('git~1/config')],
    [file('a\\..\\..\\x')],
    [file('')],
    [file('a'), file('a')],
    [file('link', '120000', 'folder'), file('link/x'), file('folder/y')],
    [file('a'), file('a/b')],
  ];
  for (const tree of trees) {
    await using folder = await temporaryFolder();
    await expect(hostile(tree, folder.path)).rejects.toMatchObject({ code: 'bad_path' });
  }
});
