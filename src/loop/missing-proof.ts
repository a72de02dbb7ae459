/**
 * Whether it is proven well enough who says that a change stays. Harm may stay with it: that takes as much proof as the
 * highest tier, as far as a command can give it (only approvals are signed).
 */
import { type Actor, isVerifiedAtLeast } from '../facts/index.ts';
import type { LoopPorts } from './types.ts';

/** The end of a sentence that says what is missing; undefined where nothing is. */
export function missingProof(
  { verified }: Actor,
  { config }: Pick<LoopPorts, 'config'>,
): string | undefined {
  const { require: highest } = config.identity.verification;
  const require = isVerifiedAtLeast('token', highest) ? highest : 'token';
  if (isVerifiedAtLeast(verified, require)) return undefined;
  return `needs more proof of who decides (${require}): put the secret of an approver or operator into HONE_TOKEN.`;
}
