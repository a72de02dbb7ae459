/**
 * Random histories of one proposal: anybody attests anything about present and earlier bytes, asks for
 * any next state, amends. Half of the moves are what an honest worker would do next, because blind
 * moves never get as far as the gate.
 */
import fc from 'fast-check';
import { digestOfBytes, type NewId } from '../src/base/index.ts';
import {
  type Actor,
  type Allowance,
  ATTESTATION_VERDICTS,
  type AttestationKind,
  PROPOSAL_STATES,
  PROPOSAL_TYPES,
  type ProposalState,
  RISKS,
  TIERS,
  type Verdict,
} from '../src/facts/index.ts';
import {
  evidenceDigest,
  type GateSettings,
  Proposals,
  readDossier,
} from '../src/proposal/index.ts';
import type { Store } from '../src/store/index.ts';
import {
  BOB,
  CODER,
  type Draft,
  decision,
  draft,
  GATE,
  MODES,
  makeContent,
  OPERATOR,
  validations,
} from './proposals.ts';

const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'hone', verified: 'local' };
const actor = fc.constantFrom(OPERATOR, BOB, CODER, SYSTEM_ACTOR);
const statement = fc.constantFrom(
  ...(Object.keys(ATTESTATION_VERDICTS) as AttestationKind[]).flatMap((kind) =>
    ATTESTATION_VERDICTS[kind].map((verdict) => ({ kind, verdict: verdict as Verdict })),
  ),
);

type Move =
  | { readonly move: 'honest' }
  | {
      readonly move: 'attest';
      readonly kind: AttestationKind;
      readonly verdict: Verdict;
      readonly actor: Actor;
      readonly about: 'present' | 'earlier';
      readonly evidence: 'seen' | 'earlier' | 'none';
      readonly tier: (typeof TIERS)[number];
      readonly improvesTarget: boolean | null;
      readonly mode: string;
      readonly allows: Allowance;
    }
  | { readonly move: 'advance'; readonly to: ProposalState; readonly actor: Actor }
  | { readonly move: 'amend'; readonly title: string; readonly actor: Actor }
  | { readonly move: 'wait'; readonly ms: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ move: 'honest' } as const) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        statement,
        actor,
        about: fc.constantFrom('present', 'present', 'earlier'),
        evidence: fc.constantFrom('seen', 'seen', 'earlier', 'none'),
        tier: fc.constantFrom(...TIERS),
        mode: fc.constantFrom(...MODES, 'canary'),
        allows: fc.constantFrom<Allowance[]>(
          { what: 'deployment' },
          { what: 'deployment' },
          { what: 'canary', share: 0.1, durationMs: 14_400_000 },
          { what: 'ab_trial', share: 0.5, durationMs: 86_400_000 },
        ),
        improvesTarget: fc.constantFrom(null, true, false),
      })
      .map(({ statement: said, ...rest }) => ({ move: 'attest', ...said, ...rest }) as Move),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      move: fc.constant('advance' as const),
      to: fc.oneof(fc.constantFrom(...PROPOSAL_STATES), fc.constant('deploying' as const)),
      actor,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      move: fc.constant('amend' as const),
      title: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
      actor,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ move: fc.constant('wait' as const), ms: fc.nat({ max: 9 }) }),
  },
);

export const history = fc.record({
  type: fc.constantFrom(...PROPOSAL_TYPES),
  risk: fc.constantFrom(...RISKS),
  automaticTiers: fc.constantFrom([], ['auto'] as const, ['auto', 'notify'] as const),
  moves: fc.array(move, { minLength: 8, maxLength: 40, size: 'max' }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** The honest next step in each state. */
const HONEST: Partial<Record<ProposalState, readonly [AttestationKind, Verdict, ProposalState]>> = {
  draft: ['vetting', 'passed', 'vetted'],
  validating: ['validation', 'passed', 'validated'],
  approved: ['backup', 'made', 'deploying'],
  deploying: ['deployment', 'done', 'monitoring'],
  pr_open: ['deployment', 'done', 'monitoring'],
  monitoring: ['monitoring', 'stable', 'implemented'],
  quarantined: ['vetting', 'released', 'draft'],
};
const ONWARD: Partial<Record<ProposalState, ProposalState>> = {
  vetted: 'validating',
  validated: 'pending',
  inconclusive: 'pending',
};

export interface World {
  readonly store: Store;
  readonly newId: NewId;
  readonly advanceMs: (ms: number) => void;
}

/** Plays it; returns the proposal's id. Refusals are part of the game. */
export async function play(
  world: World,
  { type, risk, automaticTiers, moves }: History,
): Promise<string> {
  const kernel = new Proposals(world.store, world.newId);
  const gate: GateSettings = { ...GATE, automaticTiers };
  const content = makeContent({ type, risk });
  const { id, digest } = await kernel.create(content);
  const digests = [digest];
  const advance = (to: ProposalState, by: Actor) =>
    kernel.advance(id, { to, actor: by, reason: `${to} \u{1F600}`, gate });
  for (const one of moves) {
    const dossier = await readDossier(world.store, id);
    const { state, digest: present } = dossier.proposal;
    if (digests.at(-1) !== present) digests.push(present);
    if (one.move === 'wait') world.advanceMs(one.ms);
    else if (one.move === 'advance') await advance(one.to, one.actor);
    else if (one.move === 'amend') {
      await kernel.amend(id, makeContent({ type, risk, title: one.title }), one.actor);
    } else if (one.move === 'attest') {
      const { about, evidence, kind, verdict, actor: by, move: _, ...scope } = one;
      const seen = evidence === 'seen' ? dossier.attestations : dossier.attestations.slice(0, -1);
      const shown = evidence === 'none' ? digestOfBytes('none') : evidenceDigest(seen, present);
      await kernel.attest(
        id,
        draft(kind, verdict, about === 'present' ? present : digests[0]!, {
          actor: by,
          artifacts: [digestOfBytes(kind)],
          // Of what is given here each kind takes its own.
          ...(scope as object),
          evidenceDigest: shown,
        } as Partial<Draft>),
      );
    } else if (state === 'pending') {
      await kernel.attest(id, decision(dossier));
      await advance('approved', OPERATOR);
    } else if (HONEST[state] !== undefined) {
      const [kind, verdict, to] = HONEST[state];
      const said =
        kind === 'validation'
          ? validations(verdict, present, { improvesTarget: true, actor: OPERATOR })
          : [draft(kind, verdict, present, { actor: OPERATOR })];
      for (const each of said) await kernel.attest(id, each);
      await advance(to, OPERATOR);
    } else if (ONWARD[state] !== undefined) await advance(ONWARD[state], OPERATOR);
  }
  return id;
}
