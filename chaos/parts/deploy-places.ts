/** Where a story of a deployment happens, for those who tell it and for the process that is in it. */
import { join } from 'node:path';
import type { GitHubSettings } from '../../src/deploy/types.ts';

export const FORGE_NAMES = ['local', 'remote', 'github'] as const;
export type ForgeName = (typeof FORGE_NAMES)[number];

export interface Story {
  readonly folder: string;
  readonly forge: ForgeName;
  readonly proposal: string;
  readonly base: string;
  readonly hub?: Hub;
}

/** A stand-in for GitHub, as a process that works with it knows it. */
export interface Hub {
  readonly bare: string;
  readonly gitUrl: string;
  readonly settings: GitHubSettings;
}

export const targetOf = ({ folder }: Pick<Story, 'folder'>) => join(folder, 'target.git');
export const hookLogOf = ({ folder }: Pick<Story, 'folder'>) => join(folder, 'hooks.log');
/** The repository that everybody looks at. */
export const placeOf = ({ folder, forge, hub }: Pick<Story, 'folder' | 'forge' | 'hub'>) =>
  hub?.bare ?? (forge === 'local' ? targetOf({ folder }) : join(folder, 'remote.git'));
/** Where the decision says that it goes. */
export const goesTo = (story: Pick<Story, 'folder' | 'forge' | 'hub'>) => ({
  repository: story.hub?.gitUrl ?? placeOf(story),
  branch: 'main',
  forge: story.forge,
});
