import { describe } from 'vitest';
import { forgeContract } from '../../forge-contract.test-support.ts';
import { serveGit } from './git-http.test-support.ts';
import { byFile, withRemote } from './remotes.test-support.ts';
import { serveSsh, sshdProblem } from './sshd.test-support.ts';

forgeContract('remote, a repository on this machine', () => byFile());
forgeContract('remote, git over HTTP', () =>
  withRemote(async ({ folder }) => {
    const host = await serveGit(folder);
    return { address: `${host.url}/shop.git`, end: () => host[Symbol.asyncDispose]() };
  }),
);

const problem = sshdProblem();
describe.skipIf(problem !== undefined)(`with a real sshd${problem ? `: ${problem}` : ''}`, () => {
  forgeContract('remote, git over SSH', () =>
    withRemote(async ({ folder, bare }) => {
      const host = await serveSsh(folder);
      return {
        address: `${host.url}${bare}`,
        access: { sshKey: host.key, sshKnownHosts: host.knownHosts },
        end: () => host[Symbol.asyncDispose](),
      };
    }),
  );
});
