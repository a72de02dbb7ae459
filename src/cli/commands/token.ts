/** `hone token add|list|revoke`. */
import { isoTime } from '../../base/index.ts';
import type { Role } from '../../facts/index.ts';
import { type Token, Tokens } from '../../identity/index.ts';
import { type Context, withOpened } from '../context.ts';
import { present, refuse, table } from '../io.ts';

const shown = (token: Token) => ({
  id: token.id,
  name: token.name,
  role: token.role,
  createdAt: isoTime(token.createdAtMs),
  revokedAt: token.revokedAtMs === null ? null : isoTime(token.revokedAtMs),
});

export function tokenAdd(context: Context, name: string, options: { role: Role }): Promise<number> {
  return withOpened(context, async ({ store, config }) => {
    const actor = await context.actor(config.identity.agents);
    if (actor.kind !== 'human') {
      return refuse(context.io, `${actor.id} is an agent; only a person makes tokens.`);
    }
    const { random, newId } = context;
    const made = await new Tokens(store).add({ name, role: options.role, actor, random, newId });
    present(
      context.io,
      { token: shown(made.token), secret: made.secret },
      ({ secret }) => `${secret}\n\nThis is the only time it is shown. Role: ${options.role}.\n`,
    );
    return 0;
  });
}

export function tokenList(context: Context): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const tokens = (await new Tokens(store).list()).map(shown);
    present(context.io, { tokens }, () => {
      if (tokens.length === 0)
        return 'No tokens. "hone token add <name> --role viewer" makes one.\n';
      const rows = tokens.map(({ name, role, createdAt, revokedAt }) => [
        name,
        role,
        createdAt.slice(0, 10),
        revokedAt === null ? 'valid' : `revoked ${revokedAt.slice(0, 10)}`,
      ]);
      return table([['NAME', 'ROLE', 'MADE', 'STATE'], ...rows]);
    });
    return 0;
  });
}

export function tokenRevoke(context: Context, name: string): Promise<number> {
  return withOpened(context, async ({ store, config }) => {
    const actor = await context.actor(config.identity.agents);
    await new Tokens(store).revoke(name, actor);
    present(context.io, { name, revoked: true }, () => `Revoked ${name}.\n`);
    return 0;
  });
}
