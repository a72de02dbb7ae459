/**
 * Named tokens with a role, for HTTP and for decisions that need more than a local user. Only the
 * SHA-256 of a secret is kept: a secret has 160 random bits, so there is nothing to guess and no need
 * for a slow hash. The secret is shown once.
 */
import { type NewId, type Random, sha256Hex } from '../base/index.ts';
import type { Actor, Role } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { IdentityError } from './errors.ts';
import { isKnownAgent, type KnownAgent } from './local-actor.ts';

const TABLE = 'identity_tokens';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SECRET_CHARACTERS = 32;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

export interface Bearer {
  readonly actor: Actor;
  readonly role: Role;
}

export class Tokens {
  readonly #store: Store;
  readonly #agents: readonly KnownAgent[];

  /** `agents`: a token that one of them is known by is an agent's, and never approves. */
  constructor(store: Store, agents: readonly KnownAgent[] = []) {
    this.#store = store;
    this.#agents = agents;
  }

  /** Makes a token; `secret` is returned here and nowhere else. */
  async add(options: {
    name: string;
    role: Role;
    actor: Actor;
    random: Random;
    newId: NewId;
  }): Promise<{ token: Token; secret: string }> {
    const { name, role, actor } = options;
    if (!NAME.test(name)) {
      throw new IdentityError('bad_name', `"${name}" cannot be a token's name.`, {
        hint: 'Use lower-case letters, digits, dot, dash and underscore, at most 63.',
      });
    }
    const secret = `hone_${[...options.random.bytes(SECRET_CHARACTERS)].map((byte) => ALPHABET[byte % 32]).join('')}`;
    const id = options.newId('tok');
    const nowMs = await this.#store.nowMs();
    const result = await this.#store.commit({
      expect: [{ table: TABLE, where: { name }, exists: false, name: 'name' }],
      writes: [
        {
          insert: TABLE,
          row: {
            id,
            name,
            role,
            secret_hash: sha256Hex(secret),
            created_at_ms: nowMs,
            revoked_at_ms: null,
          },
        },
      ],
      entries: [
        { type: 'identity.token_added', actor, subject: `token:${id}`, data: { name, role } },
      ],
    });
    if (!result.committed) {
      throw new IdentityError('name_taken', `There is, or was, a token named "${name}".`, {
        hint: 'Names are not used twice, so that the ledger stays readable. Choose another.',
      });
    }
    return { token: { id, name, role, createdAtMs: nowMs, revokedAtMs: null }, secret };
  }

  async list(): Promise<Token[]> {
    const rows = await this.#store.all(
      `SELECT id, name, role, created_at_ms, revoked_at_ms FROM ${TABLE} ORDER BY created_at_ms, id`,
    );
    return rows.map(tokenOf);
  }

  /** Twice is once. */
  async revoke(name: string, actor: Actor): Promise<void> {
    const token = (await this.list()).find((one) => one.name === name);
    if (token === undefined) {
      throw new IdentityError('unknown', `There is no token named "${name}".`, {
        hint: 'hone token list shows them.',
      });
    }
    if (token.revokedAtMs !== null) return;
    await this.#store.commit({
      expect: [{ table: TABLE, where: { id: token.id, revoked_at_ms: null } }],
      writes: [
        {
          update: TABLE,
          where: { id: token.id },
          set: { revoked_at_ms: await this.#store.nowMs() },
        },
      ],
      entries: [
        { type: 'identity.token_revoked', actor, subject: `token:${token.id}`, data: { name } },
      ],
    });
  }

  /** Whose secret this is; nobody's if it is unknown or revoked. */
  async bearer(secret: string): Promise<Bearer | undefined> {
    const [row] = await this.#store.all(
      `SELECT id, name, role, created_at_ms, revoked_at_ms FROM ${TABLE}
       WHERE secret_hash = ? AND revoked_at_ms IS NULL`,
      [sha256Hex(secret)],
    );
    if (row === undefined) return undefined;
    const token = tokenOf(row);
    const id = `token:${token.name}`;
    const kind = isKnownAgent(this.#agents, [id]) ? 'agent' : 'human';
    return { actor: { kind, id, verified: 'token' }, role: token.role };
  }
}

function tokenOf(row: Row): Token {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    role: row['role'] as Role,
    createdAtMs: row['created_at_ms'] as number,
    revokedAtMs: row['revoked_at_ms'] as number | null,
  };
}
