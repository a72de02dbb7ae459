/** `hone demo`: the whole story, in a repository made for it. */
import type { Context } from '../context.ts';

export async function demo(
  context: Context,
  options: { once: boolean; seed: number },
): Promise<number> {
  const { io } = context;
  // What was made is removed when the process exits; a signal alone would not let it.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const pause = !options.once && !io.json && process.stdin.isTTY === true;
  return context.demo({ io, seed: options.seed, pause });
}
