/** What reaches Hone from outside: the machine's own, or a simulation's. */
import { type Io, processIo } from '../cli/io.ts';
import type { SourceFiles } from '../observe/index.ts';
import type { Replay } from '../validate/index.ts';
import { type Machine, thisMachine } from './machine.ts';

export interface Surroundings extends Machine {
  io(json: boolean): Io;
  /** How the target's recorded sessions are run again. */
  readonly replay?: Replay;
  /** Other files than the machine's. */
  readonly files?: SourceFiles;
}

export function processSurroundings(): Surroundings {
  return { ...thisMachine(), io: processIo };
}
