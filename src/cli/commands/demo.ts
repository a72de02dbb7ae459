/** `hone demo`: the whole story, in a repository made for it. */
import type { Context } from '../context.ts';

export async function demo(
  context: Context,
  options: { once: boolean; seed: number },
): Promise<number> {
  const { io } = context;
  const pause = !options.once && !io.json && process.stdin.isTTY === true;
  return context.demo({ io, seed: options.seed, pause });
}
