/** `hone propose` and `hone feedback list`. */
import { listFeedback } from '../../app/feedback.ts';
import { givenPatch } from '../../app/given-patch.ts';
import { propose as submit } from '../../app/propose.ts';
import { usage } from '../../app/refusal.ts';
import type { FeedbackListInput, ProposeInput } from '../../contracts/submission.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { refuse } from '../io.ts';
import { wrap, wrapLines } from '../layout.ts';
import { shown } from '../shown.ts';

/** `diff`: a file, or `-` for standard input. */
export async function propose(
  context: Context,
  options: Omit<ProposeInput, 'evidence'> & { readonly evidence?: readonly string[] },
): Promise<number> {
  const diff = await givenPatch(context, options.diff, process.stdin.setEncoding('utf8'));
  const { proposeInput } = await import('../../contracts/submission.ts');
  const { json: _, ...given } = options as typeof options & { json?: boolean };
  const parsed = proposeInput.safeParse({ ...given, diff });
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues as [(typeof parsed.error.issues)[0]];
    return refuse(context.io, usage(`--${path.join('.')}: ${message}.`));
  }
  const { columns } = context.io;
  return answer(
    context,
    submit(context, parsed.data),
    ({ id, state, did }) =>
      [
        ...did.map((line) => wrap(shown(line), columns, '  ')),
        wrap(`${id} is ${state} now. Look: hone proposals show ${id}`, columns),
      ].join(''),
    ({ state }) => (state === 'rejected' ? 1 : 0),
  );
}

export function feedbackList(context: Context, input: FeedbackListInput): Promise<number> {
  const { columns } = context.io;
  return answer(context, listFeedback(context, input), ({ feedback }) =>
    feedback.length === 0
      ? 'Nobody has submitted feedback.\n'
      : feedback
          .map(
            ({ id, agent, receivedAt, text }) =>
              wrap(`${receivedAt} ${shown(agent)} (${id})`, columns) +
              wrapLines(
                `${text
                  .split('\n')
                  .map((line) => `  ${shown(line)}`)
                  .join('\n')}`,
                columns,
              ),
          )
          .join(''),
  );
}
