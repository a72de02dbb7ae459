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

/** As a comment: what judges changes is for a person to decide. The command is one of Hone's own list. */
function suggestedProof({ testCommand, agentFiles }: Detected): string {
  const test = `
# Hone can run these tests on every change, in a sandbox, before anybody is
# asked. To let it, remove the "# " of its line and of "validate:".
`;
  const replay = `
# A change of a time limit can be tried on recorded calls; nothing of yours is
# run for that. To have it, remove the "# " of its line and of "validate:".
`;
  const ways = [
    ...(testCommand === '' ? [] : [[test, `#   test: [${testCommand.split(' ').join(', ')}]`]]),
    ...(agentFiles.length === 0 ? [] : [[replay, '#   replay: recorded']]),
  ];
  if (ways.length === 0) return '';
  const keys = ways.map(([, key]) => key).join('\n');
  return `${ways.map(([words]) => words).join('')}# validate:\n${keys}\n`;
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
