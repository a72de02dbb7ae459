/** What reaches Hone from outside: the machine's own, or a simulation's. */
import { type Clock, type Random, systemClock, systemRandom } from '../base/index.ts';
import { type Io, processIo } from '../cli/io.ts';
import type { SourceFiles } from '../observe/index.ts';
import type { Replay } from '../validate/index.ts';

export interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True where time is simulated: then the store's time is this clock's too, on every engine. */
  readonly simulated: boolean;
  io(json: boolean): Io;
  /** How the target's recorded sessions are run again. */
  readonly replay?: Replay;
  /** Other files than the machine's. */
  readonly files?: SourceFiles;
}

/** `npm --prefix <hone> run hone` changes into Hone's own folder; npm says where it was called. */
function callersFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: called } = process.env;
  return script === 'hone' && called !== undefined ? called : process.cwd();
}

export function processSurroundings(): Surroundings {
  return {
    clock: systemClock,
    random: systemRandom,
    environment: process.env,
    cwd: callersFolder(),
    simulated: false,
    io: processIo,
  };
}
