/** `hone approve|reject|rollback|settle <id>` and the verbs of `hone proposals`: what people do to proposals, and
 * their answers to questions about calls. */
import { answerAsk, isAskId } from '../../app/asks.ts';
import * as app from '../../app/decide.ts';
import { givenPatch } from '../../app/given-patch.ts';
import { type Refusal, usage } from '../../app/refusal.ts';
import { approveTask, isTaskId } from '../../app/tasks.ts';
import type { Answered } from '../../contracts/ask.ts';
import type { ApproveInput, BecauseInput, Decided, ModifyInput } from '../../contracts/decision.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { refuse } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';

export function approve(
  context: Context,
  given: string,
  options: ApproveInput & { sign?: string | true },
): Promise<number> {
  if (isAskId(given)) {
    const { digest, reason, sign } = options;
    if (sign !== undefined) {
      return Promise.resolve(refuse(context.io, usage(NOT_SIGNED)));
    }
    return answered(context, answerAsk(context, given, { verdict: 'approved', digest, reason }));
  }
  if (isTaskId(given)) {
    const { digest, reason } = options;
    if (options.sign !== undefined) return Promise.resolve(refuse(context.io, usage(NOT_SIGNED)));
    return answer(context, approveTask(context, given, { digest, reason }), ({ id, phase }) =>
      wrap(`${id} goes on in ${phase}.`, context.io.columns),
    );
  }
  return decided(context, app.approve(context, given, options));
}

const NOT_SIGNED = 'A question is answered with a token, not with --sign.';

function answered(context: Context, asked: Promise<Answered | Refusal>): Promise<number> {
  return answer(context, asked, ({ id, state, tool, by, verified }) =>
    wrap(
      `${id} is ${state} by ${shown(by)} (verified by ${verified}). ${state === 'approved' ? `This one call of ${shown(tool)} may be made once.` : 'The call is refused.'}`,
      context.io.columns,
    ),
  );
}

export function reject(context: Context, given: string, options: BecauseInput): Promise<number> {
  if (isAskId(given)) {
    return answered(context, answerAsk(context, given, { verdict: 'rejected', ...options }));
  }
  if (isTaskId(given)) {
    const why = `A task that nobody approves stays where it is. "hone task back ${given} --to PHASE" sends it back.`;
    return Promise.resolve(refuse(context.io, usage(why)));
  }
  return decided(context, app.reject(context, given, options));
}

export function rollback(context: Context, given: string, options: BecauseInput): Promise<number> {
  return decided(context, app.rollBack(context, given, options));
}

export function closeWatch(
  context: Context,
  given: string,
  options: BecauseInput,
): Promise<number> {
  return decided(context, app.endWatch(context, given, options));
}

export function release(context: Context, given: string, options: BecauseInput): Promise<number> {
  return decided(context, app.release(context, given, options));
}

export function requestChanges(
  context: Context,
  given: string,
  options: BecauseInput,
): Promise<number> {
  return decided(context, app.requestChanges(context, given, options));
}

export function escalate(context: Context, given: string, options: BecauseInput): Promise<number> {
  return decided(context, app.escalate(context, given, options));
}

export function pause(context: Context, given: string, options: BecauseInput): Promise<number> {
  return decided(context, app.pause(context, given, options));
}

export function resume(context: Context, given: string, options: BecauseInput): Promise<number> {
  return decided(context, app.resumeProposal(context, given, options));
}

export function abort(context: Context, given: string, options: BecauseInput): Promise<number> {
  return decided(context, app.abort(context, given, options));
}

/** `diff`: a file, or `-` for standard input. */
export async function modify(
  context: Context,
  given: string,
  options: ModifyInput,
): Promise<number> {
  const diff = await givenPatch(context, options.diff, process.stdin.setEncoding('utf8'));
  return decided(context, app.modify(context, given, { ...options, diff }));
}

export async function settle(
  context: Context,
  given: string,
  options: { kept?: true; reverted?: true; reason: string },
): Promise<number> {
  const { kept, reverted, reason } = options;
  if ((kept === true) === (reverted === true)) {
    const why = 'Say what became of it: --kept (it stays) or --reverted (you took it back).';
    return refuse(context.io, usage(why));
  }
  const settlement = kept === true ? 'kept' : 'reverted';
  return decided(context, app.settle(context, given, { settlement, reason }));
}

/** A failed step is shown and retried; the decision still counts. */
function decided(context: Context, asked: Promise<Decided | Refusal>): Promise<number> {
  return answer(
    context,
    asked,
    (result) => decidedText(result, context.io.columns),
    ({ done }) => (done ? 0 : 1),
  );
}

function decidedText(result: Decided, columns: number): string {
  return [
    ...result.did.map((line) => wrap(shown(line), columns, '  ')),
    `It is ${result.state} now.\n`,
    askedAgain(result, columns),
  ].join('');
}

/** Nobody must take "pending" for a change that is on its way. */
function askedAgain({ id, digest, decideAgain }: Decided, columns: number): string {
  if (decideAgain === null) return '';
  return [
    '\n',
    wrap('Your approval no longer counts: it was for an earlier version.', columns),
    wrap(`The current version is ${digest}. Look at it, then decide again:`, columns),
    `  hone proposals show ${id}\n`,
    `  ${decideAgain}\n`,
  ].join('');
}
