/** Starts `hone hook` without the command line: it runs for every call of every agent (ADR 005). */
import { runHook } from '../hook/index.ts';
import { makeContext } from './context.ts';

/** What a client sends is smaller; more is not an event. */
const INPUT_MAX = 16 * 1024 * 1024;

export async function startHook(argv: readonly string[], version: string): Promise<number> {
  const context = makeContext(false, version);
  return runHook(context, argv[0], {
    read: readInput,
    refuse: (text) => process.stderr.write(`${text}\n`),
  });
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > INPUT_MAX) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
