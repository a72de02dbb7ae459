/**
 * Who may do what: the one place that is asked. Hone's own policies hold everywhere; a team's are those of the commit
 * that its accepted configuration names, so that nobody changes them by editing a file.
 *
 * Closed on failure: while a team's policies cannot be read, nothing is allowed but what brings a system back to safety
 * (`MENDS`), and that by Hone's own.
 */
import { errorMessage } from '../base/index.ts';
import { PolicySet } from './policy-set.ts';
import type { Action, PolicyFile, RightAnswer, RightAsked } from './rights-words.ts';

/** To stop, to take a change back, and to accept a configuration that names other policies. */
const MENDS: readonly Action[] = ['stop', 'switch_tier_off', 'roll_back', 'accept_configuration'];

type Loaded = { readonly set: PolicySet } | { readonly fault: string };

export class Rights {
  readonly #readTeam: () => Promise<readonly PolicyFile[]>;
  #loaded: Promise<Loaded> | undefined;

  /** `readTeam`: the files of the accepted commit; none where no commit is named. */
  constructor(readTeam: () => Promise<readonly PolicyFile[]>) {
    this.#readTeam = readTeam;
  }

  async judge(asked: RightAsked): Promise<RightAnswer> {
    this.#loaded ??= this.#load();
    const loaded = await this.#loaded;
    if ('set' in loaded) return loaded.set.judge(asked);
    // The repository may be there again the next time.
    this.#loaded = undefined;
    const { fault } = loaded;
    if (!MENDS.includes(asked.action)) return { allowed: false, by: [], fault };
    return (await PolicySet.load()).judge(asked);
  }

  async #load(): Promise<Loaded> {
    try {
      return { set: await PolicySet.load(await this.#readTeam()) };
    } catch (error) {
      return { fault: errorMessage(error) };
    }
  }
}
