/** Why a caller is refused before anybody asks what they may: their token, or that they are an agent. */
import { isoTime } from '../base/index.ts';
import type { EffectDraft } from '../facts/index.ts';
import type { Asking, Denial, Denied } from '../identity/index.ts';
import type { AppContext, Opened } from './context.ts';
import { criticalNotice } from './tell-operators.ts';

export const DENIALS: Readonly<Record<Denial, string>> = {
  agent: 'An agent runs this command, and agents may not create or revoke tokens.',
  unknown_token: 'The token in HONE_TOKEN is unknown or revoked ("hone token list").',
  not_recorded:
    'A token’s row in the database does not match the ledger: somebody added it, raised its role or restored it by hand, so it proves nothing. "hone ledger rebuild" lists the differences, and an operator corrects them with --write; if no operator’s token works: "hone token reset".',
  needs_operator:
    'Only an operator may do this: put the secret of an operator’s token into HONE_TOKEN. "hone init" showed the first one. If every operator’s token is lost: "hone token reset".',
  first_is_operator:
    'There is no operator yet, and the first token has to be an operator’s: "hone token add NAME --role operator". Put it into HONE_TOKEN to create the others.',
  operators_lost: 'Every operator’s token is revoked. Run "hone token reset" to get a new one.',
  last_operator:
    'This is the last operator’s token: without it nobody could create or revoke tokens. Create another one first ("hone token add NAME --role operator").',
  changed: 'Somebody changed the tokens at the same moment. Look at "hone token list".',
};

export async function askingOf(
  context: AppContext,
  { config }: Pick<Opened, 'config'>,
): Promise<Asking> {
  const local = await context.actor(config.identity.agents);
  return { local, secret: context.secret };
}

/** The message for a denied caller. Operators are also notified of a row that the ledger does not have. */
export async function refusalOf(
  context: AppContext,
  opened: Pick<Opened, 'config' | 'store'>,
  { why }: Denied,
): Promise<string> {
  if (why === 'not_recorded') {
    await opened.store.commit({ effects: unrecordedToken(opened, context.clock.nowMs()) });
  }
  if (why === 'agent' && context.door === 'http') {
    return `${agentWords(context)}, and agents may not create or revoke tokens.`;
  }
  return DENIALS[why];
}

export const agentWords = ({ door }: AppContext) =>
  door === 'http' ? 'This is an agent’s token' : 'An agent runs this command';

/** Once a day, however often it is tried. */
export function unrecordedToken(opened: Pick<Opened, 'config'>, nowMs: number): EffectDraft[] {
  return criticalNotice(opened, {
    key: `tokens/not-recorded/${isoTime(nowMs).slice(0, 10)}`,
    title: 'A token was used that the ledger does not have',
    text: 'Somebody added its row to the database, raised its role or restored it by hand. It was refused. Somebody else can write to the database: run hone stop-all, then hone ledger rebuild to list the rows that differ.',
  });
}
