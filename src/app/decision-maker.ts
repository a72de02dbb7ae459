/** Who decides: the holder of the given token, else the user of the machine. Never an agent. */
import type { Actor } from '../facts/index.ts';
import { mayActAs } from '../facts/index.ts';
import type { AppContext, Opened } from './context.ts';

export type Maker = { readonly actor: Actor } | { readonly refused: string };

export async function decisionMaker(
  context: AppContext,
  opened: Opened,
  isSigned = false,
): Promise<Maker> {
  const { store, config } = opened;
  const local = await context.actor(config.identity.agents);
  // Even with a token: an agent's shell may have inherited its operator's.
  if (local.kind === 'agent') {
    if (context.door === 'http') {
      return { refused: `${local.id} is an agent’s token, and agents never decide.` };
    }
    return {
      refused: `An agent runs this command, and agents never decide: ${local.id} is one of identity.agents, or a variable such as CLAUDECODE is set. If you are a person, check "git config user.email", and use a shell of your own.`,
    };
  }
  // Who signs is who they are in the allowed-signers file, whatever token is at hand.
  if (isSigned) return { actor: local };
  const { secret } = context;
  if (secret === undefined || secret === '') return { actor: local };
  const { Tokens } = await import('../identity/index.ts');
  const bearer = await new Tokens(store, config.identity.agents).bearer(secret);
  if ('why' in bearer) {
    const { refusalOf } = await import('./operator-only.ts');
    return { refused: await refusalOf(context, opened, bearer) };
  }
  if (!mayActAs(bearer.role, 'approver')) {
    return { refused: `${bearer.actor.id} is a ${bearer.role}; only an approver may decide.` };
  }
  return { actor: bearer.actor };
}
