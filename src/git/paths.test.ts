import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { byBytes, newPathProblem, refNameProblem, shownPath, treePathProblem } from './paths.ts';
import { git } from './test-repositories.ts';

test('the order is that of the bytes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      (a, b) => {
        expect(Math.sign(byBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      },
    ),
    { numRuns: 1000 },
  );
  expect(byBytes('\uffff', '\u{10000}')).toBeLessThan(0);
});

test('git’s own folder by every name that some file system gives it', () => {
  const names = [
    '.git',
    '.GIT',
    '.Git',
    '.git.',
    '.git..',
    '.git ',
    '.git. .',
    '.git:',
    '.git::$INDEX_ALLOCATION',
    '.git:x',
    'git~1',
    'GIT~1',
    'git~12',
    '.g\u200cit',
    '\u200d.git',
    '.git\ufeff',
    '.\u206agit',
    '.gi\u202et',
    '.\u202agIt ',
  ];
  for (const name of names) {
    for (const path of [name, `a/${name}`, `${name}/config`]) {
      expect(treePathProblem(path), JSON.stringify(path)).toBeDefined();
    }
  }
  for (const name of [
    '.gitignore',
    '.gitattributes',
    '.github',
    'git',
    'git~',
    'git~x',
    'x.git',
    '.git-x',
    '.gi',
  ]) {
    expect(newPathProblem(name), name).toBeUndefined();
  }
});

test('a ref name is accepted only if git accepts it', () => {
  const part = fc.string({
    unit: fc.constantFrom(
      'a',
      '.',
      '/',
      '@',
      '{',
      '-',
      '~',
      '^',
      ':',
      ' ',
      '\\',
      '*',
      'é',
      '\x7f',
      '.lock',
    ),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(part, (rest) => {
      const name = `refs/heads/${rest}`;
      if (refNameProblem(name) === undefined) git('/', ['check-ref-format', name]);
    }),
    { numRuns: 60 },
  );
});

test('what is shown of a path is printable and short', () => {
  expect(shownPath('a\n\u202eb\x9b')).toBe('"a\\n\\u202eb\\u009b"');
  expect(shownPath('x'.repeat(1000)).length).toBeLessThan(210);
});
