/** `hone claim check`. */
import { checkClaim } from '../../app/claims.ts';
import { readResult } from '../../app/read-result.ts';
import { usage } from '../../app/refusal.ts';
import type { ClaimCheck } from '../../contracts/task.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { type Io, refuse } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';

export async function claimCheck(
  context: Context,
  task: string,
  file: string,
  options: { readonly worker?: string; readonly commit?: string; readonly agent?: string },
): Promise<number> {
  const { agent } = options;
  if (agent !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(agent)) {
    const why = 'Name the sub-agent with letters, digits, "_", "-" and "." only.';
    return refuse(context.io, usage(why));
  }
  if (agent !== undefined && file === '-') {
    const why = 'A sub-agent hands its result in as a file: what it prints is not its result.';
    return refuse(context.io, usage(why));
  }
  const text = await readResult(context, file, process.stdin);
  return answer(
    context,
    checkClaim(context, task, { ...options, text }),
    (checked) => checkedText(checked, context.io),
    ({ ok }) => (ok ? 0 : 1),
  );
}

const MARKS = { confirmed: 'ok', refused: 'NO', unknown: '?' } as const;
const NEXT = {
  none: '',
  clarify: 'Correct what you said, once, and have it checked again.',
  person: 'It was refused again: a person is asked now.',
} as const;
const SAID_MAX = 80;

function checkedText({ claims, next }: ClaimCheck, io: Io): string {
  if (claims.length === 0) return wrap('Nothing in it can be checked.', io.columns);
  return [
    ...claims.map(({ level, said, verdict, why }) =>
      wrap(
        `${MARKS[verdict].padEnd(2)}  ${level}: ${shown(said).slice(0, SAID_MAX)} (${shown(why)})`,
        io.columns,
      ),
    ),
    ...(next === 'none' ? [] : [wrap(NEXT[next], io.columns)]),
  ].join('');
}
