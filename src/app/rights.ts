/** The rights of an installation: Hone's own policies, and those of the commit that the accepted configuration names. */
import { PolicyError, type PolicyFile, Rights } from '../policy/index.ts';
import type { Opened } from './context.ts';

const FOLDER = 'policies';
/** A team's rules, not a data set. */
const FILE_BYTES_MAX = 256 * 1024;

type Of = Pick<Opened, 'home' | 'config' | 'held'>;

/** For as long as a configuration is in effect: it names the commit, and a commit never changes. */
const known = new WeakMap<Opened['config'], Rights>();

/** While the accepted configuration is not in effect, anybody may have written the one at hand: Hone's own hold. */
export function rightsOf(opened: Of): Rights {
  const { home, config, held } = opened;
  if (held !== undefined) return new Rights(async () => []);
  const made = known.get(config) ?? new Rights(() => policiesAt(home.root, config.policy.commit));
  known.set(config, made);
  return made;
}

/** From the commit itself, so that what is checked out does not matter. */
export async function policiesAt(root: string, commit: string): Promise<readonly PolicyFile[]> {
  if (commit === '') return [];
  const { openRepository } = await import('../git/index.ts');
  await using repository = await openRepository({ root });
  const files = (await repository.listFiles(commit, FOLDER)).filter(({ path }) =>
    /^policies\/[^/]+\.cedar$/.test(path),
  );
  if (files.length === 0) {
    throw new PolicyError('bad_policy', `${commit} has no file ${FOLDER}/*.cedar.`);
  }
  // Awaited here: the repository closes when this returns.
  return await Promise.all(
    files.map(async ({ path }) => {
      const bytes = await repository.readFile(commit, path);
      if (bytes === undefined || bytes.length > FILE_BYTES_MAX) {
        throw new PolicyError('bad_policy', `${path} of ${commit} cannot be read as policies.`);
      }
      return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    }),
  );
}
