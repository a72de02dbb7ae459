/** `hone token add|list|revoke|reset`. Who may is judged by `identity/`; a reset also needs a terminal. */

import { type Opened, withOpened } from '../../app/context.ts';
import { askingOf, DENIALS, refusalOf } from '../../app/operator-only.ts';
import { criticalNotice, sendNow } from '../../app/tell-operators.ts';
import { isoTime } from '../../base/index.ts';
import type { EffectDraft, Role } from '../../facts/index.ts';
import { type Token, Tokens } from '../../identity/index.ts';
import type { Context } from '../context.ts';
import { present, refuse } from '../io.ts';
import { table, wrap } from '../layout.ts';

const shown = (token: Token) => ({
  id: token.id,
  name: token.name,
  role: token.role,
  createdAt: isoTime(token.createdAtMs),
  revokedAt: token.revokedAtMs === null ? null : isoTime(token.revokedAtMs),
});

export function tokenAdd(context: Context, name: string, options: { role: Role }): Promise<number> {
  return withOpened(context, async (opened) => {
    const { store, config } = opened;
    const { random, newId } = context;
    const asking = await askingOf(context, opened);
    const tokens = new Tokens(store, config.identity.agents);
    const made = await tokens.add({ name, role: options.role, asking, random, newId });
    if (!made.granted) return refuse(context.io, await refusalOf(context, opened, made));
    const { token, secret, how } = made;
    present(context.io, { token: shown(token), secret }, () =>
      [
        `${secret}\n\n`,
        wrap(`This is the only time it is shown. Role: ${options.role}.`, context.io.columns),
        how === 'first' ? wrap(FIRST, context.io.columns) : '',
      ].join(''),
    );
    return 0;
  });
}

const FIRST =
  'It is the first: in HONE_TOKEN it decides, and makes and revokes other tokens. Keep it where your agents cannot read it.';

export function tokenList(context: Context): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const tokens = (await new Tokens(store).list()).map(shown);
    present(context.io, { tokens }, () => {
      if (tokens.length === 0)
        return wrap(
          'No tokens. "hone token add NAME --role operator" makes the first.',
          context.io.columns,
        );
      const rows = tokens.map(({ name, role, createdAt, revokedAt }) => [
        name,
        role,
        createdAt.slice(0, 10),
        revokedAt === null ? 'valid' : `revoked ${revokedAt.slice(0, 10)}`,
      ]);
      return table({ head: ['NAME', 'ROLE', 'MADE', 'STATE'], rows }, context.io.columns);
    });
    return 0;
  });
}

export function tokenRevoke(context: Context, name: string): Promise<number> {
  return withOpened(context, async (opened) => {
    const tokens = new Tokens(opened.store, opened.config.identity.agents);
    const result = await tokens.revoke(name, await askingOf(context, opened));
    if (!result.granted) return refuse(context.io, await refusalOf(context, opened, result));
    present(context.io, { name, revoked: true }, () => `Revoked ${name}.\n`);
    return 0;
  });
}

/**
 * The way in when every operator's token is lost. A terminal and a typed answer keep it from happening
 * by accident or by a script; they are no proof of a person. That it happened cannot be overlooked.
 */
export function tokenReset(
  context: Context,
  name: string,
  options: { reason: string },
): Promise<number> {
  const { io } = context;
  if (options.reason.trim() === '') {
    return Promise.resolve(refuse(io, 'Say why with --reason: everybody is told.', 2));
  }
  return withOpened(context, async (opened) => {
    const { store, config, home } = opened;
    const local = await context.actor(config.identity.agents);
    if (local.kind !== 'human') return refuse(io, DENIALS.agent);
    if (io.ask === undefined) {
      return refuse(io, 'A reset needs a person at a terminal; here is none.');
    }
    io.err(wrap(WARNING, io.errorColumns));
    const answer = await io.ask(`Type ${home.id} to go on: `);
    if (answer.trim() !== home.id) return refuse(io, 'Nothing was changed.');
    const { random, newId } = context;
    const reset = await new Tokens(store).reset({
      name,
      reason: options.reason,
      local,
      random,
      newId,
      effects: (revoked) => told(opened, { by: local.id, name, revoked, reason: options.reason }),
    });
    if (!reset.granted) return refuse(io, DENIALS[reset.why]);
    // Seen by `hone status` from now on, also where no server gives entries their place.
    await opened.placePending();
    const isTold = await sendNow(context, opened);
    const { token, secret, revoked } = reset;
    present(io, { token: shown(token), secret, revoked }, () =>
      [
        `${secret}\n\n`,
        ...[
          'This is the only time it is shown. Role: operator.',
          `No longer valid: ${revoked.length === 0 ? 'none was' : revoked.join(', ')}.`,
          'It is on record, and "hone status" shows it for 7 days.',
          ...(isTold ? [] : ['The notices could not be sent yet; "hone up" sends them.']),
        ].map((line) => wrap(line, io.columns)),
      ].join(''),
    );
    return 0;
  });
}

const WARNING =
  'Every operator’s token stops working, and you get a new one. It is recorded under your name, "hone status" shows it for 7 days, and whoever gets notices is told.';

function told(
  opened: Opened,
  reset: { by: string; name: string; revoked: readonly string[]; reason: string },
): EffectDraft[] {
  const gone =
    reset.revoked.length === 0 ? 'None was valid.' : `Gone: ${reset.revoked.join(', ')}.`;
  return criticalNotice(opened, {
    key: `tokens/reset/${reset.name}`,
    title: `The operators’ tokens were reset by ${reset.by}`,
    text: `${reset.reason.trim().slice(0, 1000)} (the new one is ${reset.name}). ${gone} If that was not one of you: hone stop-all, then hone token list.`,
  });
}
