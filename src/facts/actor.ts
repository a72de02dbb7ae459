/**
 * Who did something, and how far that was verified. A name is not proof: the governed agent often
 * runs as the same user on the same machine, so every decision records how its maker was verified.
 */
import type { z } from 'zod';
import type { actorSchema } from './actor-schema.ts';

export const ACTOR_KINDS = ['human', 'agent', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/**
 * From weak to strong: `none` (a claim), `local` (OS user and git identity), `token` (a named token
 * with a role), `signature` (an SSH signature of an allowed signer), `forge` (a review on the forge).
 */
export const VERIFICATIONS = ['none', 'local', 'token', 'signature', 'forge'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

export type Actor = z.infer<typeof actorSchema>;

/**
 * An identity as it is compared, everywhere: by what people see. Letter case, spaces, characters that
 * cannot be seen and other forms of the same letters make no other identity.
 */
export function comparedId(id: string): string {
  return id
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '')
    .toLowerCase();
}

/** Hone itself: schedules, the reconciler, the sequencer. */
export const SYSTEM: Actor = { kind: 'system', id: 'hone', verified: 'local' };

export const ROLES = ['viewer', 'approver', 'operator'] as const;
/** What a token may do; each role may do what the one before it may. */
export type Role = (typeof ROLES)[number];

export function mayActAs(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}

/** Whether a verification is at least as strong as another. `signature` and `forge` are equals. */
export function isVerifiedAtLeast(actual: Verification, needed: Verification): boolean {
  const rank = (level: Verification) => Math.min(VERIFICATIONS.indexOf(level), 3);
  return rank(actual) >= rank(needed);
}
