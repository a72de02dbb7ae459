/** `hone demo`: the whole story, in a repository made for it. */
import type { Context } from '../context.ts';

export async function demo(
  context: Context,
  options: { once: boolean; seed: number },
): Promise<number> {
  const { io } = context;
  // What was made is removed when the process exits; a signal alone would not let it.
  const interrupted = () => process.exit(130);
  const terminated = () => process.exit(143);
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', terminated);
  const pause = !options.once && !io.json && process.stdin.isTTY === true;
  try {
    return await context.demo({ io, seed: options.seed, pause });
  } finally {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', terminated);
  }
}
