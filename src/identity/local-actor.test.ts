import { describe, expect, test } from 'vitest';
import { isVerifiedAtLeast, VERIFICATIONS } from '../facts/index.ts';
import { actorSchema } from '../facts/schemas.ts';
import { localActor } from './index.ts';

const NOBODY = { osUser: 'operator', gitEmail: undefined, environment: {}, agents: [] };

describe('ID-1 who is at the command line', () => {
  test('the git identity, else the OS user', () => {
    expect(localActor({ ...NOBODY, gitEmail: 'operator@example.org' })).toEqual({
      kind: 'human',
      id: 'operator@example.org',
      verified: 'local',
    });
    for (const gitEmail of [undefined, '', '  ']) {
      expect(localActor({ ...NOBODY, gitEmail }).id).toBe('operator');
    }
  });

  test.each([
    'token:operator',
    ' TOKEN:operator',
    'token:operator@example.org',
    'tok\u200ben:operator',
    'token\uff1aoperator',
    'token\ufe55operator',
    'agent:coder',
    'os:root',
    'hone',
    'HONE ',
    'ho\u00adne',
    '\u200b',
  ])('an address that looks like another kind of actor’s id is no identity: %j', (gitEmail) => {
    expect(localActor({ ...NOBODY, gitEmail }).id).toBe('operator');
  });

  test('addresses of people stay as they are', () => {
    for (const gitEmail of ['hone@example.org', 'operator@[IPv6:2001:db8::1]', 'token@example.org'])
      expect(localActor({ ...NOBODY, gitEmail }).id).toBe(gitEmail);
  });

  test('a user of the machine is not taken for Hone or a token, whatever their name', () => {
    expect(localActor({ ...NOBODY, osUser: 'hone' }).id).toBe('os:hone');
    expect(localActor({ ...NOBODY, osUser: 'token:operator' }).id).toBe('os:token:operator');
    expect(localActor({ ...NOBODY, osUser: 'hone', gitEmail: 'token:x' }).id).toBe('os:hone');
  });

  test('an agent that is known by such an address is still known', () => {
    const agents = [{ name: 'coder', matches: ['token:coder'] }];
    expect(localActor({ ...NOBODY, agents, gitEmail: 'token:coder' }).kind).toBe('agent');
  });

  test.each(['CLAUDECODE', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_AGENT', 'HONE_AGENT'])(
    'a command that an agent started is the agent’s (%s)',
    (name) => {
      expect(localActor({ ...NOBODY, environment: { [name]: '1' } }).kind).toBe('agent');
      expect(localActor({ ...NOBODY, environment: { [name]: '' } }).kind).toBe('human');
    },
  );

  test('who the configuration names as an agent is one, by user or e-mail, in any case', () => {
    const agents = [{ name: 'coder', matches: ['Bot@Example.org', 'robot'] }];
    const kind = (osUser: string, gitEmail?: string) =>
      localActor({ ...NOBODY, agents, osUser, gitEmail }).kind;
    expect(kind('operator', 'bot@example.ORG')).toBe('agent');
    expect(kind('Robot')).toBe('agent');
    expect(kind('ro\u200bbot')).toBe('agent');
    expect(kind('operator', '\uff42ot@example.org')).toBe('agent');
    expect(kind('robot', 'operator@example.org')).toBe('agent');
    expect(kind('operator', 'operator@example.org')).toBe('human');
  });

  test('a name of nothing but spaces makes nobody an agent', () => {
    const agents = [{ name: 'blank', matches: [' '] }];
    expect(localActor({ ...NOBODY, agents }).kind).toBe('human');
  });

  test('whatever the names, the ledger takes the actor', () => {
    for (const gitEmail of ['x'.repeat(1000), '\ud800@example.org', ' ü@example.org ']) {
      expect(actorSchema.safeParse(localActor({ ...NOBODY, gitEmail })).success).toBe(true);
    }
  });
});

test('ID-1 verifications go from none to signature and forge, which are equals', () => {
  const table = VERIFICATIONS.map((actual) =>
    VERIFICATIONS.filter((needed) => isVerifiedAtLeast(actual, needed)),
  );
  expect(table).toEqual([
    ['none'],
    ['none', 'local'],
    ['none', 'local', 'token'],
    ['none', 'local', 'token', 'signature', 'forge'],
    ['none', 'local', 'token', 'signature', 'forge'],
  ]);
});
