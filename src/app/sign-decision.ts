/** How a person at the command line signs: with a key file, or with the key that git signs with. */
import { resolve } from 'node:path';
import type { Sign } from '../loop/index.ts';
import type { AppContext } from './context.ts';

const NAME_ONE =
  'Name the key: --sign ~/.ssh/id_ed25519 (or its .pub, if your SSH agent holds it), or set user.signingKey of git.';

/** `given`: a key file, or true for git's. */
export async function signer(
  context: AppContext,
  given: string | true,
): Promise<{ readonly sign: Sign } | { readonly refused: string }> {
  const named = given === true ? await context.gitSetting('user.signingKey') : given;
  if (named === undefined || named === '' || named.startsWith('key::')) {
    return { refused: `There is no key to sign with. ${NAME_ONE}` };
  }
  const home = context.environment['HOME'] ?? '';
  const keyFile = resolve(named.startsWith('~/') ? `${home}${named.slice(1)}` : named);
  const { signText } = await import('../identity/index.ts');
  return { sign: (text) => signText(text, keyFile, context.environment) };
}
