/** Real processes for tests, each heard to its end. */
import { spawn } from 'node:child_process';

export interface Heard {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/** A process that opens the store, writes so many plans, and says each that was acknowledged. */
export function runStoreWorker(place: string, name: string, plans: number): Promise<Heard> {
  const file = new URL('./store-worker.ts', import.meta.url).pathname;
  const args = [place, name, String(plans)];
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, lines: output.split('\n').filter(Boolean), errors }),
    );
  });
}
