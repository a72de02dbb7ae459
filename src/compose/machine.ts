/** What every process of Hone gets from the machine. Loads nothing else: hooks start with it (ADR 005). */
import { type Clock, type Random, systemClock, systemRandom } from '../base/index.ts';

export interface Machine {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True where time is simulated: then the store's time is this clock's too, on every engine. */
  readonly simulated: boolean;
}

/** `npm --prefix <hone> run hone` changes into Hone's own folder; npm says where it was called. */
function callersFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: called } = process.env;
  return script === 'hone' && called !== undefined ? called : process.cwd();
}

export function thisMachine(): Machine {
  return {
    clock: systemClock,
    random: systemRandom,
    environment: process.env,
    cwd: callersFolder(),
    simulated: false,
  };
}
