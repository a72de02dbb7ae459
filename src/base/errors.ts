/**
 * Errors. Expected refusals (policy says no, lease lost) are returned as tagged unions and never
 * thrown. A fault of the world throws the room's one error class, which extends `HoneError` and has
 * a closed set of codes. A broken assumption is an `assert`.
 */

export abstract class HoneError<Code extends string = string> extends Error {
  readonly code: Code;
  /** What the reader can do next, in one sentence. */
  readonly hint: string | undefined;

  constructor(code: Code, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
  }
}

/** The `code` of any error, Node's system errors included. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
