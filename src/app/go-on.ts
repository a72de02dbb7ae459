/** Takes the steps that are due after a decision, if no worker of this process does. */
import type { Taken } from '../loop/index.ts';
import type { AppContext, OpenLoop } from './context.ts';

/** Takes every step that is due and sends its notices; each step may add news. */
export async function goOn(
  { hasWorkers }: Pick<AppContext, 'hasWorkers'>,
  open: OpenLoop,
): Promise<Taken[]> {
  // The commit of the decision wakes them.
  if (hasWorkers) return [];
  const steps = await open.loop.run(new AbortController().signal);
  await open.deliver();
  return steps;
}
