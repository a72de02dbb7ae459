/** `hone init` and the target's marker: claims a repository for this installation, or says who is in charge of it. */
import { type Home, writePrivateFile } from '../home/index.ts';
import { recordedKeys } from '../ledger/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import type { Store } from '../store/index.ts';
import { authorise } from './authorise.ts';
import type { AppContext } from './context.ts';

interface Claiming {
  readonly context: AppContext;
  readonly home: Home;
  readonly store: Store;
  readonly config: HoneConfig;
  /** Put this installation in charge in place of another. */
  readonly takeOver: boolean;
}

/** `other`: the key of the installation that is in charge, when it is not this one. */
export type Claimed = { readonly other: string | null } | { readonly refused: string };

export async function claimTarget(claiming: Claiming): Promise<Claimed> {
  const { home, store } = claiming;
  const [key] = await recordedKeys(store);
  if (key === undefined) return { other: null };
  const { GitError, openRepository } = await import('../git/index.ts');
  try {
    await using repository = await openRepository({ root: home.root });
    const { claim, takeOver } = await import('../deploy/index.ts');
    const { forgeOf } = await import('../loop/index.ts');
    const forge = forgeOf({ config: claiming.config, repository });
    const there = await claim(forge, key);
    if (there.key === key) {
      writePrivateFile(home.markerFile, `${there.commit}\n`, { exclusive: false });
      return { other: null };
    }
    if (!claiming.takeOver) return { other: there.key };
    const recorded = await recordTakeOver(claiming, { fromKey: there.key, toKey: key });
    if (recorded !== undefined) return { refused: recorded };
    const isDone = await takeOver(forge, key, there);
    return isDone ? { other: null } : { refused: 'Another one has just taken over. Look again.' };
  } catch (error) {
    // No git, a repository that it cannot read, or a remote that does not answer: the first deployment claims it, or says what is wrong.
    if (error instanceof GitError && !claiming.takeOver) return { other: null };
    throw error;
  }
}

/** Before the ref moves: an action without a record would be worse than a record without the action. */
async function recordTakeOver(
  { context, store, config }: Claiming,
  data: { fromKey: string; toKey: string },
): Promise<string | undefined> {
  const who = await authorise(context, { store, config }, { action: 'take_over' });
  if ('refused' in who) return who.refused;
  const subject = 'hone:installation';
  const { committed } = await store.commit({
    expect: who.unchanged,
    entries: [{ type: 'deploy.taken_over', actor: who.actor, subject, data }],
  });
  return committed ? undefined : 'Somebody changed the tokens at the same moment. Try again.';
}

export function otherInChargeWords(key: string): string {
  return `Another installation of Hone is in charge of this repository: the one whose ledger is signed by ${key}. This one deploys nothing here. To put this one in charge, stop the other, then run "hone init --take-over" with an operator’s token.`;
}
