/** What takes an operator once there is one: the token in HONE_TOKEN is asked, never only who is there. */
import { isoTime } from '../base/index.ts';
import type { Actor, EffectDraft } from '../facts/index.ts';
import { type Asking, type Denial, type Denied, Tokens } from '../identity/index.ts';
import type { Expectation } from '../store/index.ts';
import type { AppContext, Opened } from './context.ts';
import type { Refusal } from './refusal.ts';
import { criticalNotice } from './tell-operators.ts';

export const DENIALS: Readonly<Record<Denial, string>> = {
  agent: 'An agent is at this command line, and an agent neither makes nor revokes tokens.',
  unknown_token: 'The token in HONE_TOKEN is unknown or revoked ("hone token list").',
  not_recorded:
    'A token’s row in the database is not what the ledger says: it was made, raised, or brought back by somebody’s hand. It proves nothing. "hone ledger rebuild" names the differences, and an operator mends them with --write; if no operator’s token works: "hone token reset".',
  needs_operator:
    'This takes an operator: put the secret of an operator’s token into HONE_TOKEN. "hone init" showed the first one. If every operator’s token is lost: "hone token reset".',
  first_is_operator:
    'There is no operator yet, and the first token has to be one’s: "hone token add NAME --role operator". With it in HONE_TOKEN the others are made.',
  operators_lost: 'Every operator’s token is revoked: "hone token reset" is the way back in.',
  last_operator:
    'It is the last operator’s: without it nobody could make or revoke tokens. Make another one first ("hone token add NAME --role operator").',
  changed: 'Somebody changed the tokens at the same moment. Look at "hone token list".',
};

export async function askingOf(
  context: AppContext,
  { config }: Pick<Opened, 'config'>,
): Promise<Asking> {
  const local = await context.actor(config.identity.agents);
  return { local, secret: context.secret };
}

/** Who weakens what holds here; `unchanged` goes into the plan of what they do. */
export interface Operator {
  readonly actor: Actor;
  readonly unchanged: readonly Expectation[];
}

export async function operatorOf(
  context: AppContext,
  opened: Pick<Opened, 'config' | 'store'>,
): Promise<Operator | Refusal> {
  const tokens = new Tokens(opened.store, opened.config.identity.agents);
  const answer = await tokens.operator(await askingOf(context, opened));
  if (answer.granted) return answer;
  return {
    refused:
      answer.why === 'agent'
        ? `${agentWords(context)}, and only a person weakens what holds.`
        : await refusalOf(context, opened, answer),
  };
}

/** The words for whoever is denied. A row that the ledger does not have is told to the operators too. */
export async function refusalOf(
  context: AppContext,
  opened: Pick<Opened, 'config' | 'store'>,
  { why }: Denied,
): Promise<string> {
  if (why === 'not_recorded') {
    await opened.store.commit({ effects: unrecordedToken(opened, context.clock.nowMs()) });
  }
  if (why === 'agent' && context.door === 'http') {
    return `${agentWords(context)}, and an agent neither makes nor revokes tokens.`;
  }
  return DENIALS[why];
}

const agentWords = ({ door }: AppContext) =>
  door === 'http' ? 'An agent’s token was shown' : 'An agent is at this command line';

/** Once a day, however often it is tried. */
export function unrecordedToken(opened: Pick<Opened, 'config'>, nowMs: number): EffectDraft[] {
  return criticalNotice(opened, {
    key: `tokens/not-recorded/${isoTime(nowMs).slice(0, 10)}`,
    title: 'A token was shown that the ledger does not have',
    text: 'Its row in the database was made, raised or brought back by somebody’s hand, and was refused. Somebody else can write the database: hone stop-all, then hone ledger rebuild names the rows that differ.',
  });
}
