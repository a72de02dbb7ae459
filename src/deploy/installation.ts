/**
 * Which installation of Hone is in charge of a target repository: the one that `refs/hone/installation` names, by
 * the first key of its ledger. Several machines that share a store share its ledger, and are one. Two that do not
 * know of each other would deploy into each other's watches. A clone does not bring the ref along: git fetches
 * branches and tags.
 */
import {
  type CommitId,
  MemoryObjects,
  memoryRepository,
  type TargetRepository,
} from '../git/index.ts';
import type { Forge } from './types.ts';

export const INSTALLATION_REF = 'refs/hone/installation';
const TITLE = 'The installation of Hone that is in charge of this repository';

export interface InCharge {
  /** The first key of its ledger. */
  readonly key: string;
  readonly commit: CommitId;
}

/** The installation in charge; this one from now on, if there was none. */
export async function claim(forge: Forge, key: string): Promise<InCharge> {
  for (;;) {
    const there = await inChargeOf(forge);
    if (there !== undefined) return there;
    // Refused: another one was faster, and is read.
    const to = await markerOf(forge.repository, key);
    await forge.keep(INSTALLATION_REF, { from: undefined, to });
  }
}

/** Puts this one in charge in place of `from`; false if somebody else was first. */
export async function takeOver(forge: Forge, key: string, from: InCharge): Promise<boolean> {
  const to = await markerOf(forge.repository, key);
  return forge.keep(INSTALLATION_REF, { from: from.commit, to });
}

async function inChargeOf(forge: Forge): Promise<InCharge | undefined> {
  const commit = await forge.resolve(INSTALLATION_REF);
  if (commit === undefined) return undefined;
  const { message } = await forge.repository.commitInfo(commit);
  return { key: message.split('\n').slice(1).join('\n').trim(), commit };
}

/** What the ref holds where that installation is in charge, in each of git's object formats. */
export function markersOf(key: string): Promise<CommitId[]> {
  const formats = ['sha1', 'sha256'] as const;
  return Promise.all(
    formats.map((format) =>
      markerOf(memoryRepository({ objects: new MemoryObjects(format) }), key),
    ),
  );
}

/** The same for the same installation, whenever it is made. */
async function markerOf(repository: TargetRepository, key: string): Promise<CommitId> {
  const content = Buffer.from(`${key}\n`);
  const tree = await repository.writeFiles(undefined, [{ path: 'installation', content }]);
  const author = { name: 'Hone', email: 'hone@localhost', atMs: 0 };
  return repository.commit({ tree, parents: [], message: `${TITLE}\n\n${key}\n`, author });
}
