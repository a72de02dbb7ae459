/**
 * Standard output that breaks. Whoever closed the pipe (`hone … | head -1`) has what they wanted: the rest of
 * the words is dropped, the work goes on to its end, and `hone up` stops in order. A disk that is full is said
 * once, and exit 4: nobody takes half a document for all of it. Loaded with every start, so it imports nothing.
 */

const FAULT_EXIT = 4;
const met = new WeakSet<object>();
let told = false;

export function bearBrokenOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    met.add(error);
    if (isClosedPipe(error) || told) return;
    told = true;
    // Last word: the command does not know, and sets its own exit code before or after this.
    process.once('exit', () => {
      process.exitCode = FAULT_EXIT;
    });
    bearBrokenErrors();
    process.stderr.write(
      `hone: Cannot write to standard output (${error.code ?? error.message}): the output is incomplete.\n`,
    );
  });
}

/** Output that nobody receives: there is nowhere else to report it. */
export function bearBrokenErrors(): void {
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore);
}

/** The exit code of a command that was waiting to write when standard output broke; undefined for other errors. */
export function brokenOutputExit(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !met.has(error)) return undefined;
  return isClosedPipe(error) ? 0 : FAULT_EXIT;
}

function isClosedPipe(error: { readonly code?: unknown }): boolean {
  return error.code === 'EPIPE';
}

function ignore(): void {}
