/**
 * Broken assumptions. Not node:assert: it looks at standard error for colours, which makes the stream, and a hook that
 * starts for every call of every agent pays for both.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
