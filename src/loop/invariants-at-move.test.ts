import { expect, test } from 'vitest';
import { CODER, makeContent, OPERATOR, SCOPES } from '../../test/proposals.ts';
import { digestOf, isoTime } from '../base/index.ts';
import { type Actor, type AttestationKind, type Entry, SYSTEM } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { brokenBeforeMove } from './invariants-at-move.ts';

const content = makeContent({ type: 'constant_tune', risk: 'low', proposer: SYSTEM });
const digest = digestOf(content);
const dossier = { proposal: { id: 'p_1', digest }, content } as Dossier;

interface Said {
  readonly kind: AttestationKind;
  readonly verdict: string;
  readonly actor?: Actor;
  readonly more?: object;
}

const HONEST: readonly Said[] = [
  { kind: 'validation', verdict: 'passed', more: { improvesTarget: true } },
  { kind: 'decision', verdict: 'approved', actor: OPERATOR, more: { tier: 'approve' } },
  { kind: 'backup', verdict: 'made' },
];

function record(said: readonly Said[]): Entry[] {
  const entry = (type: string, data: object, actor: Actor = SYSTEM) => ({
    ...{ v: 1, at: isoTime(0), type, actor, subject: 'proposal:p_1', artifacts: [] },
    data: { contentDigest: digest, ...data },
  });
  const entries = [
    entry('proposal.created', {}),
    ...said.map(({ kind, verdict, actor, more }) =>
      entry('proposal.attested', { kind, verdict, ...SCOPES[kind], ...more }, actor),
    ),
    entry('proposal.advanced', { from: 'approved', to: 'deploying' }),
  ];
  return entries as unknown as Entry[];
}

const without = (kind: AttestationKind) => HONEST.filter((one) => one.kind !== kind);
const changed = (kind: AttestationKind, change: Partial<Said>) =>
  HONEST.map((one) => (one.kind === kind ? { ...one, ...change } : one));

test('an honest record lets the branch move', () => {
  expect(brokenBeforeMove(dossier, record(HONEST))).toEqual([]);
});

test.each([
  ['V1', without('validation')],
  ['V1', changed('validation', { verdict: 'failed' })],
  ['V2', without('decision')],
  ['V3', without('backup')],
  ['V3', changed('backup', { verdict: 'failed' })],
  ['V4', changed('decision', { actor: CODER })],
])('%s stops the move', (invariant, said) => {
  expect(brokenBeforeMove(dossier, record(said)).join()).toContain(`${invariant}:`);
});
