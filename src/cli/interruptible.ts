/** Long work that Ctrl-C ends cleanly: it hears of it and leaves nothing half done. */

import type { Refusal } from '../app/refusal.ts';

/** `refused`: what is said then. */
export async function interruptible<T>(
  refused: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Refusal> {
  const interrupt = new AbortController();
  const abort = () => interrupt.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  try {
    return await work(interrupt.signal);
  } catch (error) {
    if (interrupt.signal.aborted && error === interrupt.signal.reason) return { refused };
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}

/** The same for work that answers with what it has done so far. A second Ctrl-C ends it at once. */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const abort = () => interrupt.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  try {
    return await work(interrupt.signal);
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}
