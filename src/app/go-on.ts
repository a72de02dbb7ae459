/** Takes what is due after somebody decided something, where no worker of this process does. */
import type { Taken } from '../loop/index.ts';
import type { AppContext, OpenLoop } from './context.ts';

/** Every step that is due, and what it has to tell; news may come with each. */
export async function goOn(
  { hasWorkers }: Pick<AppContext, 'hasWorkers'>,
  open: OpenLoop,
): Promise<Taken[]> {
  // Whoever decides wakes them by its commit.
  if (hasWorkers) return [];
  const steps = await open.loop.run(new AbortController().signal);
  await open.deliver();
  return steps;
}
