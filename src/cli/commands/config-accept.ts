/**
 * `hone config accept`: puts the edited `hone.yaml` into effect. Whoever accepts names the digest of what they
 * saw, or says yes at a terminal to what is shown there.
 */
import { acceptFile, DIGEST_CHARACTERS_MIN } from '../../app/accept-file.ts';
import { isRefusal } from '../../app/refusal.ts';
import type { AcceptedConfiguration } from '../../contracts/configuration.ts';
import { answer } from '../answer.ts';
import { changeLines } from '../change-lines.ts';
import type { Context } from '../context.ts';
import { refuse } from '../io.ts';
import { fields, wrap, wrapLines } from '../layout.ts';

export async function configAccept(
  context: Context,
  options: { digest?: string },
): Promise<number> {
  const { io } = context;
  const first = await acceptFile(context, options);
  if (isRefusal(first) || !first.unseen || io.ask === undefined || io.json) {
    return show(context, Promise.resolve(first));
  }
  io.err(changesText(first, io.errorColumns));
  const typed = (await io.ask('Accept this? Type yes: ')).trim().toLowerCase();
  if (typed !== 'yes') return refuse(io, { refused: 'Nothing was accepted.' });
  return show(context, acceptFile(context, { digest: first.digest }));
}

function show(context: Context, asked: ReturnType<typeof acceptFile>): Promise<number> {
  return answer(
    context,
    asked,
    (result) => acceptText(result, context.io.columns),
    ({ unseen }) => (unseen ? 1 : 0),
  );
}

function acceptText(result: AcceptedConfiguration, columns: number): string {
  const { accepted, unseen, changes, untold } = result;
  if (unseen) {
    return [
      changesText(result, columns),
      wrap('Nothing is accepted yet. To accept exactly this:', columns),
      `  ${commandFor(result)}\n`,
    ].join('');
  }
  if (!accepted) return wrap('Nothing to accept: hone.yaml says what is in effect.', columns);
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  const lines = [
    `Accepted ${count}.`,
    ...untold,
    'A running "hone up" uses it after its next start.',
  ];
  return wrapLines(lines.join('\n'), columns);
}

function changesText(
  { digest, changes, weakened }: AcceptedConfiguration,
  columns: number,
): string {
  return [
    fields([['hone.yaml:', digest]], columns, '# '),
    changes.length === 0 ? 'It says what was accepted.\n' : changeLines(changes, columns),
    weakened.length === 0
      ? ''
      : wrap(
          `It weakens or moves ${weakened.join(', ')}: this needs an operator’s token in HONE_TOKEN, and every accepted channel is told.`,
          columns,
        ),
  ].join('');
}

function commandFor({ digest }: AcceptedConfiguration): string {
  const start = 'sha256:'.length;
  return `hone config accept --digest ${digest.slice(start, start + DIGEST_CHARACTERS_MIN)}`;
}
