/** Real processes for tests, each heard to its end. */
import { spawn } from 'node:child_process';

export interface Heard {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/**
 * Processes that open the store, wait until all of them have, write so many plans each at the same time, and
 * say each plan that was acknowledged. One that is not told to wait is done before the next has started.
 */
export async function runStoreWorkers(
  place: string,
  names: readonly string[],
  plans: number,
): Promise<Heard[]> {
  const workers = names.map((name) => startStoreWorker(place, name, plans));
  await Promise.all(workers.map(({ opened }) => opened));
  for (const { begin } of workers) begin();
  return Promise.all(workers.map(({ ended }) => ended));
}

function startStoreWorker(place: string, name: string, plans: number) {
  const file = new URL('./store-worker.ts', import.meta.url).pathname;
  const args = [file, place, name, String(plans)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const opened = Promise.withResolvers<void>();
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    opened.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  // One that fell over before it could be told is heard by its exit code.
  child.stdin.on('error', () => {});
  const ended = new Promise<Heard>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      opened.resolve();
      resolve({ code, lines: output.split('\n').filter(Boolean), errors });
    });
  });
  return { opened: opened.promise, ended, begin: () => child.stdin.end() };
}
