/** What `hone init` finds in a repository, and the `hone.yaml` it writes for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Detected,
  detectBranch,
  detectProject,
  nodeTree,
  renderConfig,
} from '../config/index.ts';
import type { Home } from '../home/index.ts';
import { honeSections } from '../loop/index.ts';

export interface NewConfig {
  readonly text: string;
  readonly found: Detected;
}

export async function newConfig(
  home: Home,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<NewConfig> {
  const branch = detectBranch(home.root, environment);
  const found = home.isBare
    ? await detectAtHead(home, branch ?? 'main')
    : await detectProject(nodeTree(home.root));
  const more = branch === undefined ? {} : { deploy: { branch } };
  const text = `${renderConfig(honeSections, found, more)}${suggestedProof(found)}`;
  return { text, found };
}

/** As a comment: what judges changes is for a person to decide. The commands are of Hone's own lists. */
function suggestedProof({ testCommand, agentFiles, profile }: Detected): string {
  const test = `
# Hone can run these tests on every change, in a sandbox, before anybody is
# asked. To let it, remove the "# " of "validate:" and of these lines.
`;
  const replay = `
# Tries changes of time limits on recorded calls. To have it, remove the "# ".
`;
  const words = (key: string, given: readonly string[]) =>
    `#   ${key}: [${given.map((one) => (/[\s&]/.test(one) ? JSON.stringify(one) : one)).join(', ')}]\n`;
  const hasTests = testCommand !== '';
  const hasAgents = agentFiles.length > 0;
  if (!hasTests && !hasAgents) return '';
  const { prepare, hosts, test: ownTest } = profile ?? {};
  return [
    ...(hasTests ? [test] : []),
    ...(hasAgents ? [replay] : []),
    '# validate:\n',
    ...(hasTests && prepare !== undefined ? [words('prepare', prepare)] : []),
    ...(hasTests && hosts !== undefined ? [words('hosts', hosts)] : []),
    ...(hasTests ? [words('test', ownTest ?? testCommand.split(' '))] : []),
    ...(hasAgents ? ['#   replay: recorded\n'] : []),
  ].join('');
}

/** A bare repository has its files only in commits: they are checked out temporarily to look at them. */
async function detectAtHead(home: Home, branch: string): Promise<Detected> {
  const { forgetAtExit, GitError, openRepository, removeAtExit } = await import('../git/index.ts');
  const folder = await mkdtemp(join(tmpdir(), 'hone-init-'));
  removeAtExit(folder);
  try {
    await using repository = await openRepository({ root: home.root });
    const head = await repository.resolve(`refs/heads/${branch}`);
    if (head !== undefined) await repository.checkOut(head, folder);
    return await detectProject(nodeTree(folder));
  } catch (error) {
    // No git, or a commit that cannot be written out: nothing was found then, and "hone init" goes on.
    if (error instanceof GitError) return await detectProject(nodeTree(folder));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    forgetAtExit(folder);
  }
}
