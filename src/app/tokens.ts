/** Tokens: created, listed, revoked, reset. `identity/` checks permissions. */
import { isoTime } from '../base/index.ts';
import type {
  AddedToken,
  ResetTokens,
  RevokedToken,
  ShownToken,
  TokenAddInput,
  TokenList,
} from '../contracts/token.ts';
import type { EffectDraft } from '../facts/index.ts';
import { type Token, Tokens } from '../identity/index.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { askingOf, DENIALS, refusalOf } from './denials.ts';
import { type Refusal, usage } from './refusal.ts';
import { criticalNotice, sendNow } from './tell-operators.ts';

export function addToken(
  context: AppContext,
  { name, role }: TokenAddInput,
): Promise<AddedToken | Refusal> {
  return withOpened(context, async (opened): Promise<AddedToken | Refusal> => {
    const { random, newId } = context;
    const asking = await askingOf(context, opened);
    const tokens = new Tokens(opened.store, opened.config.identity.agents);
    const made = await tokens.add({ name, role, asking, random, newId });
    if (!made.granted) return { refused: await refusalOf(context, opened, made) };
    return { token: shown(made.token), secret: made.secret, first: made.how === 'first' };
  });
}

export function listTokens(context: AppContext): Promise<TokenList> {
  return withOpened(context, async ({ store }) => ({
    tokens: (await new Tokens(store).list()).map(shown),
  }));
}

export function revokeToken(context: AppContext, name: string): Promise<RevokedToken | Refusal> {
  return withOpened(context, async (opened): Promise<RevokedToken | Refusal> => {
    const tokens = new Tokens(opened.store, opened.config.identity.agents);
    const result = await tokens.revoke(name, await askingOf(context, opened));
    if (!result.granted) return { refused: await refusalOf(context, opened, result) };
    return { name, revoked: true };
  });
}

/**
 * For when every operator's token is lost. `confirm` asks for the installation's id, which prevents accidents
 * and scripts; it does not prove that a person is there. A reset cannot be overlooked.
 */
export async function resetTokens(
  context: AppContext,
  { name, reason }: { readonly name: string; readonly reason: string },
  confirm: ((id: string) => Promise<boolean>) | undefined,
): Promise<ResetTokens | Refusal> {
  if (reason.trim() === '') return usage('Give a reason with --reason: everybody is told.');
  return withOpened(context, async (opened): Promise<ResetTokens | Refusal> => {
    const { store, config, home } = opened;
    const local = await context.actor(config.identity.agents);
    if (local.kind !== 'human') return { refused: DENIALS.agent };
    if (confirm === undefined) {
      return { refused: 'A reset needs a person at a terminal, and there is none.' };
    }
    if (!(await confirm(home.id))) return { refused: 'Nothing was changed.' };
    const { random, newId } = context;
    const reset = await new Tokens(store).reset({
      name,
      reason,
      local,
      random,
      newId,
      effects: (revoked) => told(opened, { by: local.id, name, revoked, reason }),
    });
    if (!reset.granted) return { refused: DENIALS[reset.why] };
    // `hone status` shows it from now on, even if no server places entries.
    await opened.placePending();
    const { token, secret, revoked } = reset;
    return { token: shown(token), secret, revoked, told: await sendNow(context, opened) };
  });
}

const shown = (token: Token): ShownToken => ({
  id: token.id,
  name: token.name,
  role: token.role,
  createdAt: isoTime(token.createdAtMs),
  revokedAt: token.revokedAtMs === null ? null : isoTime(token.revokedAtMs),
});

function told(
  opened: Opened,
  reset: { by: string; name: string; revoked: readonly string[]; reason: string },
): EffectDraft[] {
  const gone =
    reset.revoked.length === 0 ? 'None was valid.' : `Revoked: ${reset.revoked.join(', ')}.`;
  return criticalNotice(opened, {
    key: `tokens/reset/${reset.name}`,
    title: `The operators’ tokens were reset by ${reset.by}`,
    text: `${reset.reason.trim().slice(0, 1000)} (the new one is ${reset.name}). ${gone} If none of you did this, run hone stop-all, then hone token list.`,
  });
}
