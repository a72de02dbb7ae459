/**
 * Starts `hone hook` without the command line: it runs for every call of every agent (ADR 005). It reads and writes by file
 * descriptor, because the streams of `process` take a sixth of what it may take.
 */
import { fstatSync, readSync, writeSync } from 'node:fs';
import { idMaker } from '../base/index.ts';
import { type HookContext, runHook } from '../hook/index.ts';
import { thisMachine } from './machine.ts';
import { homeOf, openInstallation, portsOf } from './open.ts';

/** What a client sends is smaller; more is not an event. */
const INPUT_MAX = 16 * 1024 * 1024;
const STANDARD_INPUT = 0;
const STANDARD_ERROR = 2;

export async function startHook(argv: readonly string[], version: string): Promise<number> {
  return runHook(hookContext(version), argv[0], {
    read: readInput,
    refuse,
    end: (exit) => process.exit(exit),
  });
}

function hookContext(version: string): HookContext {
  const machine = thisMachine();
  const { clock, random, environment } = machine;
  return {
    clock,
    random,
    environment,
    newId: idMaker(clock, random),
    open: (options) => openInstallation(homeOf(machine), portsOf(machine, version), options),
    // At the end of a turn only.
    openLoop: async (opened, options) => {
      const { makeContext } = await import('./context.ts');
      return makeContext(false, version).openLoop(opened, options);
    },
  };
}

/** Nothing where no program is at the other end: a terminal, or a client that gives none. */
async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    if (fstatSync(STANDARD_INPUT).isCharacterDevice()) return '';
    for (;;) {
      const piece = Buffer.allocUnsafe(64 * 1024);
      const length = readSync(STANDARD_INPUT, piece);
      if (length === 0) break;
      bytes += length;
      if (bytes > INPUT_MAX) return '';
      pieces.push(piece.subarray(0, length));
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows tells the end as an error.
    if (code === 'EAGAIN') return readWhenReady(pieces, bytes);
    if (code !== 'EOF') return '';
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** A client may share a pipe that does not wait. */
async function readWhenReady(pieces: Buffer[], begun: number): Promise<string> {
  let bytes = begun;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > INPUT_MAX) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function refuse(text: string): void {
  try {
    writeSync(STANDARD_ERROR, `${text}\n`);
  } catch {
    // Nobody reads the reason. The exit code refuses.
  }
}
