/** Who may create and revoke tokens, and the answers they get. */
import type { Actor, Role } from '../facts/index.ts';
import type { Expectation } from '../store/index.ts';
import type { Token } from './token-rows.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whose secret it is, and what they may do. */
export interface Bearer {
  readonly actor: Actor;
  readonly role: Role;
}

/** Who asks: whoever is there, and the secret of the token that they show. */
export interface Asking {
  readonly local: Actor;
  readonly secret: string | undefined;
}

export type Denial =
  /** An agent is there, or shows an agent's token. */
  | 'agent'
  /** The secret is unknown, or was revoked. */
  | 'unknown_token'
  /** A row of the tokens says what the ledger does not. */
  | 'not_recorded'
  | 'needs_operator'
  /** There never was an operator: the first token has to be one's. */
  | 'first_is_operator'
  /** Every operator's token is revoked. */
  | 'operators_lost'
  /** Without it nobody could create or revoke tokens. */
  | 'last_operator'
  /** Somebody else changed the tokens at the same moment. */
  | 'changed';

export interface Denied {
  readonly granted: false;
  readonly why: Denial;
}

/** Who asks. */
export interface Known {
  readonly actor: Actor;
  /** Of the token that they show. */
  readonly role: Role | undefined;
  /** What must still hold when it is committed. */
  readonly unchanged: readonly Expectation[];
}

export type Operators =
  | { readonly are: 'never'; readonly none: Expectation }
  | { readonly are: 'some' | 'lost' };

export interface Made {
  readonly granted: true;
  readonly token: Token;
  /** Returned here and nowhere else. */
  readonly secret: string;
  readonly how: 'first' | 'granted';
}

export interface Reset {
  readonly granted: true;
  readonly token: Token;
  readonly secret: string;
  /** Names of the operators' tokens that no longer count. */
  readonly revoked: readonly string[];
}
