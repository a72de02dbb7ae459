/** Errors for people: what happened, what to do next; the stack only for defects of Hone itself. */
import { HoneError } from '../base/index.ts';
import { errorStatus } from '../contracts/error-table.ts';
import { type Io, jsonLine, plain, wrap } from './io.ts';

/** Prints it and gives the exit code. */
export function reportError(error: unknown, io: Io): number {
  io.progressDone();
  const known = error instanceof HoneError;
  const message = plain(error instanceof Error ? error.message : String(error));
  if (io.json) {
    const code = known ? error.code : 'internal';
    const hint = known ? (error.hint ?? null) : null;
    io.out(jsonLine({ error: { code, message, hint } }));
    return errorStatus(error).exit;
  }
  io.err(message.includes('\n') ? `hone: ${message}\n` : wrap(`hone: ${message}`));
  if (known && error.hint !== undefined) io.err(wrap(error.hint, 80, '      '));
  if (!known) {
    io.err('      This is a defect in Hone. Please report it with the lines below.\n');
    io.err(`${error instanceof Error ? plain(error.stack ?? '') : ''}\n`);
  }
  return errorStatus(error).exit;
}
