/** Each invariant holds in an honest story, and is named when the story breaks it. */
import { describe, expect, test } from 'vitest';
import { makeContent, SCOPES } from '../../test/proposals.ts';
import { digestOf, isoTime, ownWords } from '../base/index.ts';
import {
  type Actor,
  type AttestationKind,
  type Entry,
  type EntryType,
  type Pattern,
  type ProposalContent,
  SYSTEM,
} from '../facts/index.ts';
import { checkInvariants, type InvariantInput } from './index.ts';

const PERSON: Actor = { kind: 'human', id: 'operator@example.org', verified: 'token' };
const MINUTE_MS = 60_000;

interface Told {
  readonly type: EntryType;
  readonly data: object;
  readonly actor?: Actor;
  readonly subject?: string;
  readonly atMs?: number;
}

interface Story {
  readonly content?: Partial<ProposalContent>;
  readonly told?: readonly Told[];
  readonly more?: Partial<InvariantInput>;
}

const attested = (kind: AttestationKind, verdict: string, more: object = {}) => ({
  attestationId: 'att',
  kind,
  verdict,
  ...SCOPES[kind],
  ...more,
});

const advanced = (to: string) => ({ from: 'x', to, reason: ownWords('') });

/** What an honest run writes, from the proposal to what was learnt. */
function honest(): Told[] {
  return [
    { type: 'proposal.created', data: { title: ownWords('t') } },
    { type: 'proposal.attested', data: attested('vetting', 'passed') },
    { type: 'proposal.attested', data: attested('validation', 'passed', { improvesTarget: true }) },
    {
      type: 'proposal.attested',
      data: attested('decision', 'approved', { tier: 'approve' }),
      actor: PERSON,
    },
    { type: 'proposal.attested', data: attested('backup', 'made') },
    { type: 'proposal.advanced', data: advanced('deploying') },
    { type: 'proposal.attested', data: attested('monitoring', 'degraded') },
    { type: 'proposal.attested', data: attested('rollback', 'done') },
    { type: 'proposal.advanced', data: advanced('reverted') },
    { type: 'learn.fix_recorded', data: {} },
    { type: 'loop.cycle_started', data: {}, subject: 'cycle:c_1' },
    { type: 'loop.cycle_finished', data: {}, subject: 'cycle:c_1' },
    { type: 'learn.cycle_recorded', data: {}, subject: 'cycle:c_1' },
  ] as Told[];
}

function check({ content: changes = {}, told = honest(), more = {} }: Story): string[] {
  const content = makeContent({
    patternId: 'pat_1',
    evidence: ['event:1'],
    proposer: SYSTEM,
    ...changes,
  });
  const digest = digestOf(content);
  const entries = told.map(
    ({ type, data, actor = SYSTEM, subject = 'proposal:p_1', atMs = 0 }) =>
      ({
        v: 1,
        at: isoTime(atMs),
        type,
        actor,
        subject,
        data: { contentDigest: digest, ...data },
        artifacts: [],
      }) as unknown as Entry,
  );
  const violations = checkInvariants({
    entries,
    content: (one) => (one === digest ? content : undefined),
    pattern: () => ({ occurrences: 3 }) as Pattern,
    eventExists: () => true,
    overheadShare: 0.01,
    rollbackMs: 5 * MINUTE_MS,
    ...more,
  });
  return violations.map(({ invariant }) => invariant);
}

const startedAgain: Told[] = [{ type: 'loop.cycle_started', data: {}, subject: 'cycle:c_2' }];

const without = (drop: (one: Told) => boolean) => honest().filter((one) => !drop(one));
const isKind = (kind: string) => (one: Told) => (one.data as { kind?: string }).kind === kind;

describe('the invariants', () => {
  test('hold in an honest story', () => {
    expect(check({})).toEqual([]);
  });

  test('hold when a person, and nobody else, keeps what could not be taken back', () => {
    const waivedBy = (actor: Actor) =>
      honest().map((one) =>
        isKind('rollback')(one)
          ? ({ ...one, actor, data: attested('rollback', 'waived') } as Told)
          : one,
      );
    expect(check({ told: waivedBy(PERSON) })).toEqual([]);
    expect(check({ told: waivedBy(SYSTEM) })).toEqual(['V9']);
  });

  describe('a decision that was carried over to another base', () => {
    const OTHER = digestOf('the same change on the earlier base');
    const carriedStory = (more: { approved?: object; carried?: object; between?: Told[] } = {}) => {
      const by: Told = {
        type: 'proposal.attested',
        data: attested('decision', 'approved', {
          ...{ attestationId: 'att_old', contentDigest: OTHER, tier: 'approve', ...more.approved },
        }),
        actor: PERSON,
      };
      const named = { decisionId: 'att_old', fromDigest: OTHER, fromBase: 'a', toBase: 'b' };
      const carried = attested('decision', 'carried', { tier: 'approve', carried: named });
      const [created, ...rest] = honest();
      return [
        ...[created!, by, ...(more.between ?? [])],
        ...rest.map((one) =>
          isKind('decision')(one)
            ? ({ type: one.type, data: carried, atMs: MINUTE_MS, ...more.carried } as Told)
            : one,
        ),
      ];
    };

    test('holds where a person approved the earlier one', () => {
      expect(check({ told: carriedStory() })).toEqual([]);
    });

    test.each<[string, Parameters<typeof carriedStory>[0]]>([
      ['nobody approved the earlier one', { approved: { verdict: 'changes_requested' } }],
      ['it names another decision', { approved: { attestationId: 'att_else' } }],
      ['it was decided at require', { approved: { tier: 'require' } }],
      ['it is too old', { carried: { atMs: 8 * 86_400_000 } }],
      [
        'a person took it back',
        {
          between: [
            {
              type: 'proposal.attested',
              data: attested('rollback', 'requested', { contentDigest: OTHER }),
              actor: PERSON,
            },
            {
              type: 'proposal.attested',
              data: attested('rollback', 'done', { contentDigest: OTHER }),
            },
          ],
        },
      ],
    ])('V4: %s', (_, more) => {
      expect(check({ told: carriedStory(more) })).toEqual(['V4']);
    });
  });

  test.each<[string, string, Story]>([
    ['V1', 'no validation', { told: without(isKind('validation')) }],
    [
      'V1',
      'an inconclusive one decided at approve',
      {
        told: honest().map((one) =>
          isKind('validation')(one)
            ? ({ ...one, data: attested('validation', 'inconclusive') } as Told)
            : one,
        ),
      },
    ],
    ['V2', 'no decision on record', { told: without(isKind('decision')) }],
    ['V3', 'no backup', { told: without(isKind('backup')) }],
    ['V4', 'a tier below what the change needs', { content: { risk: 'high' } }],
    [
      'V4',
      'a decision by an agent',
      {
        told: honest().map((one) =>
          isKind('decision')(one)
            ? { ...one, actor: { kind: 'agent', id: 'coder', verified: 'token' } }
            : one,
        ),
      },
    ],
    ['V5', 'too few occurrences', { more: { pattern: () => ({ occurrences: 2 }) as Pattern } }],
    ['V5', 'evidence without an event', { more: { eventExists: () => false } }],
    ['V6', 'content that is not complete', { more: { content: () => undefined } }],
    ['V7', 'observing costs too much', { more: { overheadShare: 0.06 } }],
    [
      'V7',
      'two cycles at once',
      { told: without(({ type }) => type === 'loop.cycle_finished').concat(startedAgain) },
    ],
    [
      'V8',
      'an end nobody learnt from',
      { told: without(({ type }) => type === 'learn.fix_recorded') },
    ],
    [
      'V8',
      'a cycle nobody learnt from',
      { told: without(({ type }) => type === 'learn.cycle_recorded') },
    ],
    ['V9', 'harm that was not rolled back', { told: without(isKind('rollback')) }],
    [
      'V9',
      'a rollback that came late',
      {
        told: honest().map((one) =>
          isKind('rollback')(one) ? { ...one, atMs: 6 * MINUTE_MS } : one,
        ),
      },
    ],
    ['V10', 'Hone changes itself', { content: { type: 'meta' } }],
  ])('%s: %s', (invariant, _, story) => {
    expect(check(story)).toContain(invariant);
  });
});
