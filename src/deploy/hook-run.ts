/** One command of the accepted configuration, run for a commit; what it prints is cleaned and cut before it is kept. */
import type { Dossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Arrival, HookRun } from './arrival-file.ts';
import type { ArrivePorts } from './types.ts';

const OUTPUT_CHARACTERS_MAX = 4000;

export async function runCommand(
  words: readonly string[],
  { timeoutMs, dossier, arrival }: { timeoutMs: number; dossier: Dossier; arrival: Arrival },
  { runner }: Pick<ArrivePorts, 'runner'>,
): Promise<HookRun> {
  const variables = {
    HONE_COMMIT: arrival.commit,
    HONE_PROPOSAL: dossier.proposal.id,
    HONE_EVENT: arrival.event,
  };
  const { how, code, output } = await runner.run(words, { variables, timeoutMs });
  // The end of it says what went wrong.
  const kept = recordedText(output.slice(-OUTPUT_CHARACTERS_MAX).toWellFormed());
  return { run: recordedText(words.join(' ').slice(0, 500)), how, code, output: kept };
}
