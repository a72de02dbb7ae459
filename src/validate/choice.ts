/**
 * VAL-3's choice: by what a change of this type and risk is proven. Canary and A/B touch live traffic and are not there yet: in their
 * place stands the replay of recorded sessions, where there is one, or an evaluation, else a person.
 */
import type { ProposalContent } from '../facts/index.ts';

const WORDS = {
  unit: 'the target’s own tests',
  shadow: 'a replay of recorded sessions',
  canary: 'a canary',
  ab: 'an A/B trial',
  manual: 'a person',
} as const;
type Wanted = keyof typeof WORDS;

const BY_TYPE: Readonly<Record<Exclude<ProposalContent['type'], 'constant_tune'>, Wanted>> = {
  formula_change: 'shadow',
  protocol_update: 'shadow',
  skill_improve: 'shadow',
  behavior_fix: 'canary',
  meta: 'manual',
};

/** What is configured. */
export interface Provers {
  readonly tests: boolean;
  readonly evaluation: boolean;
  readonly replay: boolean;
}

export type Choice = {
  readonly wanted: Wanted;
  readonly taken: 'unit' | 'eval' | 'replay' | 'manual';
  /** A sentence. */
  readonly why: string;
};

export function choiceOf(
  { type, risk }: Pick<ProposalContent, 'type' | 'risk'>,
  { tests, evaluation, replay }: Provers,
): Choice {
  const wanted = wantedFor(type, risk);
  const best = replay ? 'replay' : evaluation ? 'eval' : 'manual';
  const taken = wanted === 'manual' ? 'manual' : wanted === 'unit' && tests ? 'unit' : best;
  return { wanted, taken, why: whyOf(`A ${type} of ${risk} risk`, wanted, taken) };
}

function wantedFor(type: ProposalContent['type'], risk: ProposalContent['risk']): Wanted {
  if (type !== 'constant_tune') return BY_TYPE[type];
  return risk === 'low' ? 'unit' : 'ab';
}

const TAKEN = {
  unit: WORDS.unit,
  eval: 'the target’s evaluation',
  replay: WORDS.shadow,
  manual: WORDS.manual,
} as const;

function whyOf(what: string, wanted: Wanted, taken: Choice['taken']): string {
  const wish = `${what} is to be proven by ${WORDS[wanted]}`;
  if (TAKEN[taken] === WORDS[wanted]) return `${wish}.`;
  const lack =
    wanted === 'canary' || wanted === 'ab'
      ? 'which Hone cannot run yet'
      : 'which is not configured';
  return taken === 'manual'
    ? `${wish}, ${lack}, and nothing else here can: a person decides.`
    : `${wish}, ${lack}: ${TAKEN[taken]} takes its place.`;
}
