/** Errors for people: what happened, what to do next; the stack only for defects of Hone itself. */
import { HoneError } from '../base/index.ts';
import type { ErrorAnswer } from '../contracts/error.ts';
import { errorStatus } from '../contracts/error-table.ts';
import { type Io, jsonLine, plain } from './io.ts';
import { fitLines, wrap } from './layout.ts';

/** Prints it and gives the exit code. `clean`: an error may quote what another program or a file said. */
export function reportError(error: unknown, io: Io, clean: (text: string) => string): number {
  io.progressDone();
  const known = error instanceof HoneError;
  const message = clean(error instanceof Error ? error.message : String(error));
  const code = known ? error.code : 'internal';
  sayError(io, { code, message, hint: known ? (error.hint ?? null) : null });
  if (!known && !io.json) {
    const report = 'This is a defect in Hone. Please report it with the lines below.';
    io.err(wrap(report, io.errorColumns, '      '));
    io.err(`${error instanceof Error ? plain(clean(error.stack ?? '')) : ''}\n`);
  }
  return errorStatus(error).exit;
}

/** What went wrong and what to do, as a document or as text. */
export function sayError(io: Io, error: ErrorAnswer['error']): void {
  const message = plain(error.message);
  if (io.json) {
    io.out(jsonLine({ error: { ...error, message } }));
    return;
  }
  const { errorColumns } = io;
  const text = `hone: ${message}`;
  io.err(message.includes('\n') ? fitLines(text, errorColumns) : wrap(text, errorColumns));
  if (error.hint !== null) io.err(wrap(error.hint, errorColumns, '      '));
}
