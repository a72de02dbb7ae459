import { expect, test } from 'vitest';
import { isRemoteName, readAddress } from './remote-address.ts';

test.each([
  ['https://git.example.org/team/shop.git', 'https'],
  ['https://hone@git.example.org:8443/shop', 'https'],
  ['ssh://git@git.example.org:2222/team/shop.git', 'ssh'],
  ['git@git.example.org:team/shop.git', 'ssh'],
  ['host:shop.git', 'ssh'],
  ['host:/srv/shop.git', 'ssh'],
  ['http://localhost:8080/shop.git', 'http'],
  ['http://[::1]:8080/shop.git', 'http'],
  ['file:///srv/git/shop.git', 'file'],
  ['/srv/git/shop.git', 'file'],
])('%s is reached by %s', (text, protocol) => {
  expect(readAddress(text)).toEqual({ text, protocol });
});

test.each([
  '',
  'ext::sh -c "touch /tmp/x"',
  'ext::id',
  'fd::17',
  'origin::x',
  '../shop.git',
  '--upload-pack=id',
  '-oProxyCommand=id:x',
  'ssh://-oProxyCommand=id/x',
  'ssh://%2doProxyCommand=id@host/x',
  'git://host/shop.git',
  'ftp://host/shop.git',
  'http://git.example.org/shop.git',
  'http://localhost.example.org/shop.git',
  'https://hone:secret@host/shop.git',
  'https://host/shop.git?x=1',
  'https:///shop.git',
  'file://host/shop.git',
  'https://host/a b',
  'https://host/\u202ex',
  `https://host/${'a'.repeat(200)}`,
])('%j is refused', (text) => {
  expect(() => readAddress(text)).toThrow(expect.objectContaining({ code: 'bad_remote' }));
});

test('a password is not repeated in the refusal', () => {
  expect(() => readAddress('https://hone:s3cret@host/shop.git')).toThrow(/^(?!.*s3cret).*$/s);
});

test.each([
  ['origin', true],
  ['up-stream.2', true],
  ['-x', false],
  ['host:path', false],
  ['/srv/x', false],
])('%s is a name: %s', (text, expected) => expect(isRemoteName(text)).toBe(expected));
