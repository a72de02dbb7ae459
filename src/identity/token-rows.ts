/** A token's row and its secret: how they are made, and what is kept of them. */
import { type NewId, type Random, sha256Hex } from '../base/index.ts';
import type { Role } from '../facts/index.ts';
import type { Row, Write } from '../store/index.ts';
import { IdentityError } from './errors.ts';

export const TABLE = 'identity_tokens';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SECRET_CHARACTERS = 32;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * The first token's id is always this one: nothing locks a row that is not there, so of two first tokens
 * on PostgreSQL, under whatever names, the second must collide.
 */
export const FIRST_ID = 'tok_first';

/** So that whoever looks for a reset finds it without reading the ledger. */
const RESET_PREFIX = 'tok_reset';

export function isFromReset({ id }: Token): boolean {
  return id.startsWith(`${RESET_PREFIX}_`);
}

export const resetId = (newId: NewId) => newId(RESET_PREFIX);

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

export interface NewToken {
  readonly token: Token;
  /** Returned to whoever made it, and kept nowhere. */
  readonly secret: string;
  readonly secretHash: string;
  readonly insert: Write;
}

export function newToken(options: {
  name: string;
  role: Role;
  id: string;
  random: Random;
  nowMs: number;
}): NewToken {
  const { id, name, role, nowMs } = options;
  if (!NAME.test(name)) {
    throw new IdentityError('bad_name', `"${name}" cannot be a token's name.`, {
      hint: 'Use lower-case letters, digits, dot, dash and underscore, at most 63.',
    });
  }
  const letters = [...options.random.bytes(SECRET_CHARACTERS)].map((byte) => ALPHABET[byte % 32]);
  const secret = `hone_${letters.join('')}`;
  const secretHash = sha256Hex(secret);
  return {
    token: { id, name, role, createdAtMs: nowMs, revokedAtMs: null },
    secret,
    secretHash,
    insert: {
      insert: TABLE,
      row: {
        id,
        name,
        role,
        secret_hash: secretHash,
        created_at_ms: nowMs,
        revoked_at_ms: null,
      },
    },
  };
}

export const isOperator = (one: Token) => one.role === 'operator' && one.revokedAtMs === null;

export function revokeWrite(id: string, nowMs: number): Write {
  return { update: TABLE, where: { id }, set: { revoked_at_ms: nowMs } };
}

export function tokenOf(row: Row): Token {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    role: row['role'] as Role,
    createdAtMs: row['created_at_ms'] as number,
    revokedAtMs: row['revoked_at_ms'] as number | null,
  };
}
