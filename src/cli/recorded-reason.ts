/**
 * The door for what a person says with `--reason`: cleaned once for every command, and they are told if anything
 * of it was masked. Rooms clean it again; here it also keeps a secret out of what the command prints.
 */
import type { Io } from './io.ts';
import { wrap } from './layout.ts';

/** The options of a command, with a clean reason where they have one. */
export async function withCleanReason(options: unknown, io: Io): Promise<unknown> {
  const { reason } = options as { reason?: unknown };
  if (typeof reason !== 'string') return options;
  // Loaded only where there is a reason: most commands have none.
  const { cleanReason } = await import('../app/clean-words.ts');
  const { text, masked } = await cleanReason(reason);
  if (masked > 0) io.err(wrap(maskedText(masked), io.errorColumns));
  return { ...(options as object), reason: text };
}

function maskedText(count: number): string {
  const what = count === 1 ? '1 secret or address' : `${count} secrets or addresses`;
  return `hone: ${what} in --reason ${count === 1 ? 'is' : 'are'} masked, because records stay forever. A secret typed here is also in the shell's history: replace it.`;
}
