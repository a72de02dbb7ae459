import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { holdsSecret, mask, shown, shownKey } from './secrets.ts';

/** Assembled here, so that scanners do not find tokens in this file. */
const TOKENS = [
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'a1B2'}${'Zk8Qw3'}${'vT5nXc9'}${'pL2mRj7'}${'sD4hFg6'}${'yB1uE'}`,
  `glpat-${'a1B2'.repeat(5)}`,
  `sk-ant-${'a1B2'.repeat(9)}`,
  `xoxb-${'483920174655'}-${'920374651823'}-${'kW3vT9nXcQ5pL2mRjD4hFg6y'}`,
  `npm_${'a1B2'.repeat(9)}`,
  `AKIA${'ABCD1234'.repeat(2)}`,
  `AIza${'a1B2c'.repeat(7)}`,
  `eyJ${'hbGciOi'}.eyJ${'zdWIiOi'}.${'c2ln'.repeat(4)}`.replace('hbGciOi', 'hbGciOiJIUzI1'),
  `Bearer ${'a1B2'.repeat(8)}`,
  `-----BEGIN ${'OPENSSH PRIVATE'} KEY-----\nb3BlbnNzaC1r`,
  'https://hooks.slack.com/services/T000/B000/abcdEFGH1234',
  'postgres://hone:hunter2@db/hone',
  'amqps://a:b@c',
  'postgres://db/hone?sslmode=require&password=hunter2',
  'host=db user=hone password=hunter2',
];

const HARMLESS = [
  'sqlite',
  'env:HONE_DATABASE_URL',
  'postgres://hone@db:5432/hone',
  'noreply@anthropic.com',
  '198982749+Copilot@users.noreply.github.com',
  'npm_config_registry_of_the_whole_company',
  'npm run test:task-force-of-the-whole-world',
  'DB_PASSWORD=$DB_PASSWORD npm test',
  'packages/very-long-folder-name-that-goes-on/prompts/**',
];

test('literal secrets are found, and nothing of them is left when masked', () => {
  for (const token of TOKENS) {
    expect(holdsSecret(`before ${token}`), token).toBe(true);
    expect(mask(token), token).toMatch(/\[REDACTED[:\]]/);
    expect(mask(token), token).not.toMatch(/hunter2|a1B2|ABCD1234|c2ln|b3Blb|EFGH/);
  }
});

test('what is harmless stays as it is', () => {
  for (const text of HARMLESS) {
    expect(holdsSecret(text), text).toBe(false);
    expect(mask(text)).toBe(text);
  }
});

test('a port and an @ further on hide too much rather than too little, and refuse nothing', () => {
  expect(holdsSecret('https://registry.example:8080/@scope/package')).toBe(false);
  expect(mask('postgres://u:a/b@c@db')).toBe('postgres://[REDACTED:CONNECTION]');
});

test('what only looks random is masked and not refused', () => {
  const text = 'Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZmdoaWo';
  expect(holdsSecret(text)).toBe(false);
  expect(mask(text)).toBe('***');
});

test("a secret's name hides any value but a reference", () => {
  expect(shown('hello', 'apiKey')).toBe('***');
  expect(shown(1234, 'password')).toBe('***');
  expect(shown('env:NAME', 'password')).toBe('"env:NAME"');
});

test('values are shown short, on one line and without control characters', () => {
  expect(shown(undefined)).toBe('nothing');
  expect(shown('')).toBe('an empty text');
  expect(shown({ a: 1 })).toBe('keys and values');
  expect(shown([1])).toBe('a list');
  expect(shown('x'.repeat(501))).toBe('a text of 501 characters');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 600 }), (text) => {
      for (const line of [shown(text), shownKey(text)]) {
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(Array.from(line).length).toBeLessThanOrEqual(62);
      }
    }),
  );
});
