import { expect, test } from 'vitest';
import { isLoopback } from '../base/index.ts';
import { composeSections, expectConfig, parseConfig, weakenedKeys } from '../config/index.ts';
import { honeSections } from '../loop/sections.ts';

test.each([
  '127.0.0.1',
  '127.8.9.10',
  'localhost',
  'LOCALHOST',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
])('%s is only this machine', (host) => expect(isLoopback(host)).toBe(true));

test.each([
  '0.0.0.0',
  '::',
  '10.0.0.5',
  '::2',
  'fe80::1',
  '1::1',
  '127.example.org',
  'localhost.example.org',
  '127.0.0.1.example.org',
])('%s may be reached by others', (host) => expect(isLoopback(host)).toBe(false));

test('to listen elsewhere than on this machine takes an operator; to come back takes nobody', () => {
  const schema = composeSections(honeSections);
  const on = (host: string) =>
    expectConfig(parseConfig(`server:\n  host: "${host}"\n`, 'hone.yaml', schema)).config;
  const weakened = (before: string, after: string) => weakenedKeys(schema, on(before), on(after));
  expect(weakened('127.0.0.1', '0.0.0.0')).toEqual(['server.host']);
  expect(weakened('10.0.0.5', '0.0.0.0')).toEqual(['server.host']);
  expect(weakened('0.0.0.0', '0.0.0.0')).toEqual([]);
  expect(weakened('0.0.0.0', '127.0.0.1')).toEqual([]);
  expect(weakened('127.0.0.1', '::1')).toEqual([]);
});
