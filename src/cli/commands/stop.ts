/** `hone stop-all` and `hone resume`: the kill switch. */
import { resume as lift, stopAll as stop } from '../../app/stop.ts';
import type { BecauseInput } from '../../contracts/decision.ts';
import type { Stopped } from '../../contracts/stop.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../io.ts';
import { wrap } from '../layout.ts';

export function stopAll(context: Context, options: BecauseInput): Promise<number> {
  return answer(context, stop(context, options), (shown) =>
    wrap(plainLine(stopWords(shown)), context.io.columns),
  );
}

function stopWords({ changed, reason, byFile }: Stopped): string {
  if (byFile !== null) {
    return (
      `Stopped by the file ${byFile.path}, because the store could not be used: ${byFile.because} ` +
      'Once that is fixed, remove the file and run "hone resume".'
    );
  }
  return changed ? STOPPED : `It was stopped already: ${reason}`;
}

const STOPPED =
  'Stopped. Nothing automatic runs until a person runs "hone resume". Watching and rolling back go on.';

export function resume(context: Context, options: BecauseInput): Promise<number> {
  return answer(context, lift(context, options), ({ changed }) =>
    changed ? 'Resumed.\n' : 'It was not stopped.\n',
  );
}
