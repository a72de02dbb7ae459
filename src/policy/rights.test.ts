/** Rights by Cedar: the shipped policies, a team's own, and what happens when they cannot be read. */
import { describe, expect, test } from 'vitest';
import type { Actor, Role } from '../facts/index.ts';
import {
  ACTIONS,
  type Action,
  lockedOut,
  type PolicyFile,
  PolicySet,
  type RightAsked,
  type RightSubject,
  Rights,
} from './index.ts';

const ALICE: Actor = { kind: 'human', id: 'token:alice', verified: 'token' };
const AT_THE_MACHINE: Actor = { kind: 'human', id: 'alice@example.org', verified: 'local' };
const CODER: Actor = { kind: 'agent', id: 'agent:coder', verified: 'token' };

const PROPOSAL: RightSubject = {
  kind: 'Proposal',
  id: 'p_1',
  tier: 'approve',
  type: 'constant_tune',
  risk: 'low',
  state: 'pending',
  proposer: 'hone',
  files: ['agents/billing/settings.yaml'],
};
const INSTALLATION: RightSubject = { kind: 'Installation', id: 'hone' };

function asked(
  action: Action,
  actor: Actor,
  role: Role | undefined,
  rest: Partial<RightAsked> = {},
): RightAsked {
  const isOperating = (ACTIONS.operate as readonly Action[]).includes(action);
  const subject = isOperating || action === 'propose' ? INSTALLATION : PROPOSAL;
  return { who: { actor, role }, action, subject, door: 'command', ...rest };
}

const team = (text: string, path = 'policies/team.cedar'): PolicyFile[] => [{ path, text }];
const rights = (files: PolicyFile[] = []) => new Rights(async () => files);

describe('the shipped policies', () => {
  test.each([
    ['approve', ALICE, 'viewer', false, []],
    ['approve', ALICE, 'approver', true, ['hone:approvers-decide']],
    ['approve', ALICE, 'operator', true, ['hone:approvers-decide']],
    ['approve', AT_THE_MACHINE, undefined, true, ['hone:local-people-decide']],
    ['approve', CODER, 'operator', false, ['hone:only-people-decide']],
    ['roll_back', CODER, 'approver', false, ['hone:only-people-decide']],
    ['roll_back', AT_THE_MACHINE, undefined, true, ['hone:local-people-decide']],
    ['resume', ALICE, 'approver', false, []],
    ['resume', ALICE, 'operator', true, ['hone:operators-operate']],
    ['propose', CODER, undefined, true, ['hone:anybody-proposes']],
    ['stop', ALICE, 'viewer', false, []],
    ['stop', ALICE, 'approver', true, ['hone:approvers-work-and-halt']],
    ['check_text', AT_THE_MACHINE, undefined, true, ['hone:local-people-work-and-halt']],
    ['manage_tokens', AT_THE_MACHINE, undefined, false, []],
    ['work_on_tasks', CODER, undefined, true, ['hone:agents-work-and-halt']],
    ['manage_tokens', ALICE, 'approver', false, []],
    ['manage_tokens', ALICE, 'operator', true, ['hone:operators-administer']],
    ['manage_tokens', CODER, undefined, false, []],
    ['open_pr', CODER, undefined, true, ['hone:approvers-and-agents-deliver']],
  ] as const)('%s by %o as %s: %s', async (action, actor, role, allowed, by) => {
    expect(await rights().judge(asked(action, actor, role))).toEqual({ allowed, by });
  });

  test('whoever sets Hone up operates, and nobody without a token once there was an operator', async () => {
    const judged = async (operators: RightAsked['operators']) =>
      (await rights().judge(asked('resume', AT_THE_MACHINE, undefined, { operators: operators! })))
        .allowed;
    expect(await judged('never')).toBe(true);
    expect(await judged('some')).toBe(false);
    expect(await judged('lost')).toBe(false);
  });

  test('a reviewer at the forge decides, and operates nothing', async () => {
    const reviewer: Actor = { kind: 'human', id: 'bob@example.org', verified: 'forge' };
    const at = { door: 'forge', operators: 'never' } as const;
    expect((await rights().judge(asked('approve', reviewer, undefined, at))).allowed).toBe(true);
    expect((await rights().judge(asked('resume', reviewer, undefined, at))).allowed).toBe(false);
  });

  test('every action has a policy that decides about it', async () => {
    const operator = { ...ALICE, id: 'token:operator' };
    const { automate, ...ofPeople } = ACTIONS;
    for (const action of Object.values(ofPeople).flat()) {
      const answer = await rights().judge(asked(action, operator, 'operator'));
      expect(answer.allowed, action).toBe(true);
    }
    const hone: Actor = { kind: 'system', id: 'hone', verified: 'local' };
    for (const action of automate)
      expect((await rights().judge(asked(action, hone, undefined))).allowed, action).toBe(true);
  });
});

describe('a team’s policies', () => {
  test('a forbid wins over every permit, and is named', async () => {
    const files = team(
      '@id("billing") forbid (principal, action == Action::"approve", resource) when { resource.folders.contains("agents/billing") } unless { principal == Person::"token:bob" };',
    );
    const alice = await rights(files).judge(asked('approve', ALICE, 'operator'));
    expect(alice).toEqual({ allowed: false, by: ['policies/team.cedar:billing'] });
    const bob = await rights(files).judge(
      asked('approve', { ...ALICE, id: 'token:bob' }, 'approver'),
    );
    expect(bob.allowed).toBe(true);
    const other = { ...PROPOSAL, files: ['agents/billings.yaml'] };
    const elsewhere = asked('approve', ALICE, 'operator', { subject: other as RightSubject });
    expect((await rights(files).judge(elsewhere)).allowed).toBe(true);
  });

  test('a permit widens what roles may do, and never lets an agent decide', async () => {
    const files = team('permit (principal, action == Action::"reject", resource);');
    const viewer = await rights(files).judge(asked('reject', ALICE, 'viewer'));
    expect(viewer).toEqual({ allowed: true, by: ['policies/team.cedar:1'] });
    expect((await rights(files).judge(asked('approve', ALICE, 'viewer'))).allowed).toBe(false);
    const agent = await rights(files).judge(asked('reject', CODER, 'operator'));
    expect(agent).toEqual({ allowed: false, by: ['hone:only-people-decide'] });
  });

  test('a policy about proof counts a review as much as a signature', async () => {
    const files = team(
      'forbid (principal, action == Action::"approve", resource) unless { principal.proof >= 3 };',
    );
    const signed = { ...AT_THE_MACHINE, verified: 'signature' } as const;
    expect((await rights(files).judge(asked('approve', ALICE, 'approver'))).allowed).toBe(false);
    expect((await rights(files).judge(asked('approve', signed, undefined))).allowed).toBe(true);
  });

  test.each([
    ['no Cedar', 'forbid (principal, action', /unexpected/],
    [
      'an action that there is not',
      'forbid (principal, action == Action::"aprove", resource);',
      /aprove/,
    ],
    [
      'an attribute that there is not',
      'forbid (principal, action == Action::"approve", resource) when { resource.teir == "auto" };',
      /teir/,
    ],
    ['a template', 'permit (principal == ?principal, action, resource);', /template/],
    [
      'two of one name',
      '@id("a") permit (principal, action == Action::"propose", resource); @id("a") permit (principal, action == Action::"propose", resource);',
      /names two/,
    ],
  ])('%s closes everything but the way back', async (_, text, why) => {
    const judged = rights(team(text));
    const approve = await judged.judge(asked('approve', ALICE, 'operator'));
    expect(approve).toEqual({ allowed: false, by: [], fault: expect.stringMatching(why) });
    expect((await judged.judge(asked('roll_back', ALICE, 'approver'))).allowed).toBe(true);
    expect((await judged.judge(asked('accept_configuration', ALICE, 'operator'))).allowed).toBe(
      true,
    );
    expect((await judged.judge(asked('accept_configuration', ALICE, 'approver'))).allowed).toBe(
      false,
    );
  });

  test('a policy that fails while it is judged refuses, where Cedar would pass over it', async () => {
    const files = team(
      '@id("sum") forbid (principal, action == Action::"approve", resource) when { principal.proof + 9223372036854775807 > 0 };',
    );
    const answer = await rights(files).judge(asked('approve', ALICE, 'operator'));
    expect(answer).toEqual({
      allowed: false,
      by: ['policies/team.cedar:sum'],
      fault: expect.stringContaining('overflow'),
    });
  });

  test('files that cannot be read now are read again the next time', async () => {
    let away = true;
    const judged = new Rights(async () => {
      if (away) throw new Error('the commit is not here');
      return [];
    });
    const first = await judged.judge(asked('approve', ALICE, 'approver'));
    expect(first).toEqual({ allowed: false, by: [], fault: 'the commit is not here' });
    away = false;
    expect((await judged.judge(asked('approve', ALICE, 'approver'))).allowed).toBe(true);
  });

  test('a set that locks operators out is found before it is accepted', async () => {
    const files = team('forbid (principal, action in Action::"operate", resource);');
    expect(lockedOut(await PolicySet.load(files))).toEqual(['accept_configuration', 'resume']);
    expect(lockedOut(await PolicySet.load())).toEqual([]);
  });
});
