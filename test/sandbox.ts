/** Whether sandboxes can be made here; a test that needs one is skipped loudly where they cannot. */
import { spawnSync } from 'node:child_process';

/** In words for people; undefined where they can. */
export function sandboxProblem(): string | undefined {
  const args = ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true'];
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { error, status, stderr } = spawnSync('bwrap', args, { encoding: 'utf8', ...nobody });
  if (error !== undefined) return 'bubblewrap is not installed: run "npm run setup".';
  return status === 0 ? undefined : `no sandbox can be made here: ${stderr.trim()}`;
}
