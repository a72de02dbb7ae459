import { expect, test } from 'vitest';
import { parseCodeOwners } from './index.ts';

/** The examples of GitHub's own page on code owners, in its words. */
const TEXT = `
# a comment
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
with\\ space/ @blank
!never @nobody
[ab].txt @nobody
`;

test.each([
  ['README.md', ['@global-owner1', '@global-owner2']],
  ['lib/a/index.js', ['@js-owner']],
  ['main.go', ['docs@example.com']],
  ['build/logs/today.txt', ['@octocat']],
  ['docs/getting-started.md', ['@doctocat']],
  ['docs/build-app/troubleshooting.md', ['@doctocat']],
  ['inner/apps/x.ts', ['@octocat']],
  ['scripts/deep/run.sh', ['@doctocat', '@octocat']],
  ['deeply/nested/logs/x', ['@octocat']],
  ['apps/github/secret.ts', []],
  ['apps/other.ts', ['@octocat']],
  ['with space/x', ['@blank']],
  ['never', ['@global-owner1', '@global-owner2']],
  ['a.txt', ['@global-owner1', '@global-owner2']],
])('the last pattern that fits says who owns %s', (path, owners) => {
  expect(parseCodeOwners(TEXT)(path)).toEqual(owners);
});

test('a folder’s star reaches its files and no deeper', () => {
  const ownersOf = parseCodeOwners('docs/* @docs');
  expect(ownersOf('docs/a.md')).toEqual(['@docs']);
  expect(ownersOf('docs/deep/a.md')).toEqual([]);
  expect(ownersOf('other/docs/a.md')).toEqual([]);
});

test('a pattern made to take long does not', () => {
  const ownersOf = parseCodeOwners(`${'*a'.repeat(300)}b @slow`);
  expect(ownersOf('a'.repeat(4_000))).toEqual([]);
});
