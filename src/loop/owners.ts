/** Who must approve because a file is theirs: the owners that the base commit names, as people that Hone knows. */
import { decodeText } from '../document/index.ts';
import { CODE_OWNERS_PLACES, type CodeOwners, parseCodeOwners } from '../policy/index.ts';
import type { Dossier, OwnedFile } from '../proposal/index.ts';
import type { LoopPorts } from './types.ts';

/** Read from the base, not from the change: nobody makes themselves an owner by what they propose. */
export async function ownedFiles(
  { content }: Pick<Dossier, 'content'>,
  { config, repository }: Pick<LoopPorts, 'config' | 'repository'>,
): Promise<readonly OwnedFile[]> {
  if (!config.approve.codeOwners) return [];
  const ownersOf = await readOwners(content.baseCommit, repository);
  return content.files.flatMap((file) => {
    const owners = ownersOf(file);
    if (owners.length === 0) return [];
    return [
      { file, owners, people: owners.flatMap((one) => peopleOf(one, config.approve.owners)) },
    ];
  });
}

async function readOwners(
  commit: string,
  repository: LoopPorts['repository'],
): Promise<CodeOwners> {
  for (const place of CODE_OWNERS_PLACES) {
    const bytes = await repository.readFile(commit, place);
    if (bytes !== undefined) return parseCodeOwners(decodeText(bytes) ?? '');
  }
  return () => [];
}

/** An address is a person by itself; any other owner is whoever the configuration says. */
function peopleOf(owner: string, known: LoopPorts['config']['approve']['owners']): string[] {
  if (!owner.startsWith('@')) return [owner];
  const named = owner.toLowerCase();
  return known.flatMap((one) => (one.owner.toLowerCase() === named ? one.people : []));
}
