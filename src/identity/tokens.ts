/**
 * Named tokens with a role, for HTTP and for decisions that need more than a local user. Only the
 * SHA-256 of a secret is kept: a secret has 160 random bits, so there is nothing to guess and no need
 * for a slow hash. The secret is shown once.
 *
 *   no operator yet ──first──► operators ──every one revoked──► lost ──reset──► operators
 *
 * The first token is an operator's and is made by whoever sets Hone up. From then on an operator's token
 * makes and revokes tokens, and weakens what holds. What is known to be an agent does none of it, whatever
 * secret it shows.
 */
import { type NewId, type Random, sha256Hex } from '../base/index.ts';
import type { Actor, EffectDraft, Role } from '../facts/index.ts';
import { TOKENS_SUBJECT } from '../ledger/at-start.ts';
import { KeptReads, type Plan, type Store } from '../store/index.ts';
import { IdentityError } from './errors.ts';
import { isKnownAgent, type KnownAgent } from './local-actor.ts';
import { type KnownTokens, knownTokens, provenByHash } from './proven-tokens.ts';
import {
  FIRST_ID,
  isOperator,
  type NewToken,
  newToken,
  resetId,
  revokeWrite,
  TABLE,
  type Token,
  tokenOf,
} from './token-rows.ts';
import type { Asking, Bearer, Denial, Denied, Known, Made, Operators, Reset } from './types.ts';

const COLUMNS = 'id, name, role, created_at_ms, revoked_at_ms';
/** How many the entry about a reset names; no installation has more operators. */
const REVOKED_MAX = 100;

/** More holders than are at work at once; those who guess secrets only push each other out. */
const SECRETS_MAX = 256;

export interface Chance {
  readonly random: Random;
  readonly newId: NewId;
}

export class Tokens {
  readonly #store: Store;
  readonly #agents: readonly KnownAgent[];
  /** What became of secrets, by their hash, for as long as the rows and entries about them are the same. */
  readonly #proven: KeptReads;

  /** `agents`: a token that one of them is known by is an agent's, and never approves. */
  constructor(store: Store, agents: readonly KnownAgent[] = []) {
    this.#store = store;
    this.#agents = agents;
    this.#proven = new KeptReads(store, SECRETS_MAX);
  }

  async list(): Promise<Token[]> {
    const rows = await this.#store.all(
      `SELECT ${COLUMNS} FROM ${TABLE} ORDER BY created_at_ms, id`,
    );
    return rows.map(tokenOf);
  }

  /** The holder of this secret; none if it is unknown or revoked, or if its row does not match the ledger. */
  async bearer(secret: string): Promise<Bearer | Denied> {
    const token = await this.#valid(secret);
    return 'why' in token ? token : { actor: actorOf(token, this.#agents), role: token.role };
  }

  /** Whether every row is what the ledger says. */
  async agree(): Promise<boolean> {
    return (await knownTokens(this.#store)).agree;
  }

  /** Creates a token. The very first needs no permission; every other needs an operator. */
  async add(
    options: { name: string; role: Role; asking: Asking } & Chance,
  ): Promise<Made | Denied> {
    const { name, role, random, newId } = options;
    await refuseSecret(name);
    const asker = await this.#asker(options.asking);
    if ('why' in asker) return asker;
    const nowMs = await this.#store.nowMs();
    if (asker.operator === undefined) {
      const why = await this.#whyNotFirst(role);
      if (why !== undefined) return denied(why);
      const first = planFirstToken({ name, actor: asker.actor, random, nowMs });
      return this.#make(first, name, 'first');
    }
    const made = newToken({ name, role, id: newId('tok'), random, nowMs });
    const plan: Plan = {
      expect: [{ ...stillValid(asker.operator), name: 'operator' }, unused(name)],
      writes: [made.insert],
      entries: [added(made, asker.actor, 'granted', nowMs)],
    };
    return this.#make({ ...made, plan }, name, 'granted');
  }

  /** Who asks, as what, and what must still hold when what they do is committed. `policy/` says what they may. */
  async who(asking: Asking): Promise<Known | Denied> {
    const { local, secret } = asking;
    // An agent stays one, whatever token its shell inherited.
    if (local.kind !== 'human' || secret === undefined || secret === '') {
      return { actor: local, role: undefined, unchanged: [] };
    }
    const shown = await this.#valid(secret);
    if ('why' in shown) return shown;
    const actor = actorOf(shown, this.#agents);
    return { actor, role: shown.role, unchanged: [stillValid(shown)] };
  }

  /** `lost`: there were some, and every token of theirs is revoked. `none`: expected in the plan of who acts as the first. */
  async operators(): Promise<Operators> {
    const known = await knownTokens(this.#store);
    if (!known.hadOperator) {
      return { are: 'never', none: { table: TABLE, where: { role: 'operator' }, exists: false } };
    }
    return { are: needed(known) === 'operators_lost' ? 'lost' : 'some' };
  }

  /** By an operator, or by whoever holds the token itself. Twice is once. */
  async revoke(name: string, asking: Asking): Promise<{ granted: true } | Denied> {
    const asker = await this.#asker(asking);
    if ('why' in asker) return asker;
    const known = await knownTokens(this.#store);
    const token = known.recorded.find((one) => one.name === name);
    const may = asker.operator ?? (token !== undefined && asker.shown?.id === token.id);
    if (may === undefined || may === false) return denied(needed(known));
    if (token === undefined) {
      throw new IdentityError('unknown', `The ledger has no token named "${name}".`, {
        hint: 'hone token list shows the rows; hone ledger rebuild lists those that are not in the ledger.',
      });
    }
    if (token.revokedAtMs !== null) return { granted: true };
    if (!known.proven.some(({ id }) => id === token.id)) return denied('not_recorded');
    // An agent's token never operates, whatever its role.
    const isPerson = (one: Token) => actorOf(one, this.#agents).kind === 'human';
    const other = known.proven.find(
      (one) => one.id !== token.id && isOperator(one) && isPerson(one),
    );
    if (isOperator(token) && other === undefined) return denied('last_operator');
    const nowMs = await this.#store.nowMs();
    const { actor, shown } = asker;
    const result = await this.#store.commit({
      // Of two operators who revoke each other at the same moment one stays.
      expect: [token, shown, other].flatMap((one) => (one === undefined ? [] : [stillValid(one)])),
      writes: [revokeWrite(token.id, nowMs)],
      entries: [revoked(token, actor, nowMs)],
    });
    if (result.committed) return { granted: true };
    const now = (await knownTokens(this.#store)).recorded.find((one) => one.id === token.id);
    return now?.revokedAtMs === null ? denied('changed') : { granted: true };
  }

  /**
   * The way in when every operator's token is lost: whoever is there becomes the operator, every other
   * operator's token is revoked, and `effects` announce it. Recorded as a reset.
   */
  async reset(
    options: {
      name: string;
      reason: string;
      local: Actor;
      effects: (revoked: readonly string[]) => readonly EffectDraft[];
    } & Chance,
  ): Promise<Reset | Denied> {
    const { name, local, random, newId } = options;
    if (local.kind !== 'human') return denied('agent');
    await refuseSecret(name);
    const nowMs = await this.#store.nowMs();
    const known = await knownTokens(this.#store);
    // Also those whose row was altered: the ledger must not bring them back.
    const operators = known.recorded.filter(isOperator);
    const proven = known.proven.filter(isOperator);
    const names = operators.map((one) => one.name).slice(0, REVOKED_MAX);
    const made = newToken({ name, role: 'operator', id: resetId(newId), random, nowMs });
    const { recordedText } = await import('../sanitise/index.ts');
    const reason = recordedText(options.reason);
    const result = await this.#store.commit({
      expect: [unused(name), ...proven.map(stillValid)],
      writes: [...operators.map(({ id }) => revokeWrite(id, nowMs)), made.insert],
      entries: [
        ...operators.map((one) => revoked(one, local, nowMs)),
        added(made, local, 'reset', nowMs),
        {
          type: 'identity.tokens_reset',
          actor: local,
          subject: TOKENS_SUBJECT,
          data: { name, reason, revokedNames: names },
          atMs: nowMs,
        },
      ],
      effects: options.effects(names),
    });
    if (result.committed) return { granted: true, ...visible(made), revoked: names };
    if (result.refused.name === 'name') throw nameTaken(name);
    return denied('changed');
  }

  async #make(
    { plan, token, secret }: { plan: Plan; token: Token; secret: string },
    name: string,
    how: Made['how'],
  ): Promise<Made | Denied> {
    const result = await this.#store.commit(plan);
    if (result.committed) return { granted: true, token, secret, how };
    if (result.refused.name === 'name') throw nameTaken(name);
    return denied(result.refused.name === 'operator' ? 'unknown_token' : 'needs_operator');
  }

  /** Who asks, and the operator's token that they show, if they do. */
  async #asker({ local, secret }: Asking): Promise<Asker | Denied> {
    if (local.kind !== 'human') return denied('agent');
    if (secret === undefined || secret === '') return { actor: local };
    const shown = await this.#valid(secret);
    if ('why' in shown) return shown;
    const actor = actorOf(shown, this.#agents);
    if (actor.kind !== 'human') return denied('agent');
    return { actor, shown, ...(isOperator(shown) ? { operator: shown } : {}) };
  }

  async #whyNotFirst(role: Role): Promise<Denial | undefined> {
    const known = await knownTokens(this.#store);
    if (known.hadOperator) return needed(known);
    return role === 'operator' ? undefined : 'first_is_operator';
  }

  async #valid(secret: string): Promise<Token | Denied> {
    const hash = sha256Hex(secret);
    const found = await this.#proven.get(hash, (store) => provenByHash(store, hash));
    if (found === 'unknown') return denied('unknown_token');
    if (found === 'differs') return denied('not_recorded');
    return found;
  }
}

interface Asker {
  readonly actor: Actor;
  readonly shown?: Token;
  readonly operator?: Token;
}

/** For whoever sets Hone up. Refused, as `first`, where an operator is or was. */
export function planFirstToken(options: {
  name: string;
  actor: Actor;
  random: Random;
  nowMs: number;
}): { plan: Plan; token: Token; secret: string } {
  const { name, actor, random, nowMs } = options;
  const made = newToken({ name, role: 'operator', id: FIRST_ID, random, nowMs });
  const where = { role: 'operator' };
  return {
    ...visible(made),
    plan: {
      expect: [{ table: TABLE, where, exists: false, name: 'first' }, unused(name)],
      writes: [made.insert],
      entries: [added(made, actor, 'first', nowMs)],
    },
  };
}

const denied = (why: Denial): Denied => ({ granted: false, why });
const needed = ({ hadOperator, proven }: KnownTokens) =>
  hadOperator && !proven.some(isOperator) ? 'operators_lost' : 'needs_operator';
const stillValid = ({ id, role }: Token) => ({
  table: TABLE,
  where: { id, role, revoked_at_ms: null },
});
const unused = (name: string) => ({ table: TABLE, where: { name }, exists: false, name: 'name' });
const visible = ({ token, secret }: { token: Token; secret: string }) => ({ token, secret });

function added(made: NewToken, actor: Actor, how: Made['how'] | 'reset', atMs: number) {
  const { id, name, role } = made.token;
  const data = { tokenId: id, name, role, how, secretHash: made.secretHash };
  return { type: 'identity.token_added', actor, subject: TOKENS_SUBJECT, data, atMs } as const;
}

function revoked({ id, name }: Token, actor: Actor, atMs: number) {
  return {
    type: 'identity.token_revoked',
    actor,
    subject: TOKENS_SUBJECT,
    data: { tokenId: id, name },
    atMs,
  } as const;
}

function actorOf({ name }: Token, agents: readonly KnownAgent[]): Actor {
  const id = `token:${name}`;
  return { kind: isKnownAgent(agents, [id]) ? 'agent' : 'human', id, verified: 'token' };
}

/** A name is recorded and shown forever; somebody may paste a secret in its place. It is not repeated. */
async function refuseSecret(name: string): Promise<void> {
  const { secretKinds } = await import('../sanitise/index.ts');
  if (secretKinds(name).size === 0) return;
  throw new IdentityError('bad_name', 'That name looks like a secret, and names are recorded.', {
    hint: 'Nothing was recorded. Name the token after who or what uses it; its secret is made by Hone.',
  });
}

function nameTaken(name: string): IdentityError {
  return new IdentityError('name_taken', `There is, or was, a token named "${name}".`, {
    hint: 'A name is used only once, so that the ledger stays clear. Choose another.',
  });
}
