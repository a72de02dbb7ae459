/** What a use case answers, on the terminal: the document as it is, or text made from it; or its refusal. */
import { isRefusal, type Refusal } from '../app/refusal.ts';
import type { Context } from './context.ts';
import { present, refuse } from './io.ts';

/** Gives the exit code: 0 unless `exitOf` finds something in the answer that says otherwise. */
export async function answer<T extends object>(
  { io }: Context,
  asked: Promise<T | Refusal>,
  show: (answer: T) => string,
  exitOf: (answer: T) => number = () => 0,
): Promise<number> {
  const given = await asked;
  io.progressDone();
  if (isRefusal(given)) return refuse(io, given);
  present(io, given, show);
  return exitOf(given);
}
