/** `hone token add|list|revoke|reset`. A reset needs a terminal. */
import { addToken, listTokens, resetTokens, revokeToken } from '../../app/tokens.ts';
import type { ResetTokens, TokenAddInput } from '../../contracts/token.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { table, wrap } from '../layout.ts';

export function tokenAdd(
  context: Context,
  name: string,
  { role }: { role: TokenAddInput['role'] },
): Promise<number> {
  const { columns } = context.io;
  return answer(context, addToken(context, { name, role }), ({ secret, first }) =>
    [
      `${secret}\n\n`,
      wrap(`This is the only time it is shown. Role: ${role}.`, columns),
      first ? wrap(FIRST, columns) : '',
    ].join(''),
  );
}

const FIRST =
  'It is the first. Put it into HONE_TOKEN to decide, and to create and revoke other tokens. Keep it where your agents cannot read it.';

export function tokenList(context: Context): Promise<number> {
  const { columns } = context.io;
  return answer(context, listTokens(context), ({ tokens }) => {
    if (tokens.length === 0)
      return wrap('No tokens. "hone token add NAME --role operator" makes the first.', columns);
    const rows = tokens.map(({ name, role, createdAt, revokedAt }) => [
      name,
      role,
      createdAt.slice(0, 10),
      revokedAt === null ? 'valid' : `revoked ${revokedAt.slice(0, 10)}`,
    ]);
    return table({ head: ['NAME', 'ROLE', 'MADE', 'STATE'], rows }, columns);
  });
}

export function tokenRevoke(context: Context, name: string): Promise<number> {
  return answer(context, revokeToken(context, name), () => `Revoked ${name}.\n`);
}

export function tokenReset(
  context: Context,
  name: string,
  { reason }: { reason: string },
): Promise<number> {
  const { io } = context;
  const { ask } = io;
  const confirm = async (id: string) => {
    io.err(wrap(WARNING, io.errorColumns));
    return (await ask!(`Type ${id} to go on: `)).trim() === id;
  };
  const asked = resetTokens(context, { name, reason }, ask === undefined ? undefined : confirm);
  return answer(context, asked, (shown) => resetText(shown, io.columns));
}

const WARNING =
  'Every operator’s token stops working, and you get a new one. The reset is recorded under your name, shown by "hone status" for 7 days, and sent to everybody who gets notices.';

function resetText({ secret, revoked, told }: ResetTokens, columns: number): string {
  const lines = [
    'This is the only time it is shown. Role: operator.',
    `No longer valid: ${revoked.length === 0 ? 'none was' : revoked.join(', ')}.`,
    'The reset is recorded, and "hone status" shows it for 7 days.',
    ...(told ? [] : ['The notices could not be sent yet; "hone up" sends them.']),
  ];
  return `${secret}\n\n${lines.map((line) => wrap(line, columns)).join('')}`;
}
