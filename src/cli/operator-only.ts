/** What takes an operator once there is one: the token in HONE_TOKEN is asked, never only who is there. */
import type { Actor } from '../facts/index.ts';
import { type Asking, type Denial, Tokens } from '../identity/index.ts';
import type { Expectation } from '../store/index.ts';
import type { Context, Opened } from './context.ts';

export const DENIALS: Readonly<Record<Denial, string>> = {
  agent: 'An agent is at this command line, and an agent neither makes nor revokes tokens.',
  unknown_token: 'The token in HONE_TOKEN is unknown or revoked ("hone token list").',
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
  context: Context,
  { config }: Pick<Opened, 'config'>,
): Promise<Asking> {
  const local = await context.actor(config.identity.agents);
  return { local, secret: context.environment['HONE_TOKEN']?.trim() };
}

/** Who weakens what holds here; `unchanged` goes into the plan of what they do. */
export async function operatorOf(
  context: Context,
  opened: Pick<Opened, 'config' | 'store'>,
): Promise<
  | { readonly actor: Actor; readonly unchanged: readonly Expectation[] }
  | { readonly refused: string }
> {
  const tokens = new Tokens(opened.store, opened.config.identity.agents);
  const answer = await tokens.operator(await askingOf(context, opened));
  if (answer.granted) return answer;
  return {
    refused:
      answer.why === 'agent'
        ? 'An agent is at this command line, and only a person weakens what holds.'
        : DENIALS[answer.why],
  };
}
