/**
 * The keys by which one configuration holds less than another about who decides, what is judged and who
 * reaches the server, or looks for that elsewhere: in another store nobody is an operator yet.
 */
import { comparedId, isVerifiedAtLeast } from '../facts/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { FIXED_GATES, isWeaker } from '../policy/index.ts';
import { networkHost } from './listens-on.ts';

export function weakenedKeys(before: HoneConfig, after: HoneConfig): string[] {
  const [old, now] = [before.identity, after.identity];
  const tiers = (['approve', 'require'] as const)
    .filter((tier) => !isVerifiedAtLeast(now.verification[tier], old.verification[tier]))
    .map((tier) => `identity.verification.${tier}`);
  const known = new Set(identities(now));
  const lifted = identities(old).some((one) => !known.has(one));
  const gates = (Object.keys(after.switches) as (keyof HoneConfig['switches'])[])
    .filter(
      (gate) => !FIXED_GATES.has(gate) && isWeaker(after.switches[gate], before.switches[gate]),
    )
    .map((gate) => `switches.${gate}`);
  const host = networkHost(after);
  return [
    ...(before.store.url === after.store.url ? [] : ['store.url']),
    ...tiers,
    ...(lifted ? ['identity.agents'] : []),
    ...(old.allowedSignersFile === now.allowedSignersFile ? [] : ['identity.allowedSignersFile']),
    ...(old.allowedSignersDigest === now.allowedSignersDigest
      ? []
      : ['identity.allowedSignersDigest']),
    ...gates,
    ...(host === null || host === before.server.host ? [] : ['server.host']),
  ];
}

function identities({ agents }: HoneConfig['identity']): string[] {
  return agents.flatMap(({ matches }) => matches.map(comparedId));
}
