/** Maps PostgreSQL's and the network's errors to the store's, by SQLSTATE, never by text. */
import { errorCode, errorMessage } from '../../base/index.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import type { Address } from './address.ts';

/** `store_expect` raises this with the expectation's number as its message. */
const REFUSED = 'HN001';
const UNIQUE_VIOLATION = '23505';
const SERIALIZATION = new Set(['40001', '40P01']);

export function refusedExpectation(error: unknown): number | undefined {
  return errorCode(error) === REFUSED ? Number(errorMessage(error)) : undefined;
}

/** Two met; the loser tries again and then sees what the winner wrote. */
export function isCollision(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && SERIALIZATION.has(code);
}

export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === UNIQUE_VIOLATION;
}

export function storeError(error: unknown, address: Address): unknown {
  if (error instanceof StoreError) return error;
  const code = errorCode(error);
  const { as, hint } = classify(code);
  const said = errorMessage(error);
  const message = address.hide(said);
  return new StoreError(as, `The database ${address.shown}: ${message}.`, {
    hint,
    // What it says is in the message; one that had to be changed is not handed on as it was.
    ...(message === said ? { cause: error } : {}),
  });
}

/** Before anybody is asked: a part of the password would be taken for the server's name. */
export function unclearAddress(): StoreError {
  return new StoreError('unreachable', 'The database URL cannot be read.', {
    hint: 'Write the special characters of its password as %XX: @ is %40, / is %2F, ? is %3F, # is %23.',
  });
}

function classify(code: string | undefined): { as: StoreErrorCode; hint: string } {
  if (code === undefined || /^E[A-Z_]+$/.test(code) || /^(08|28|3D|57P)/.test(code)) {
    return {
      as: 'unreachable',
      hint: 'Check that the server runs, and the address, user and password in store.url.',
    };
  }
  if (code.startsWith('23')) {
    return { as: 'constraint', hint: 'This is a defect in Hone; please report it.' };
  }
  if (code === '53100') return { as: 'disk_full', hint: "Free space on the server's disk." };
  if (code === '25006' || code === '42501') {
    return {
      as: 'read_only',
      hint: 'Give the user of store.url permission to create and write tables.',
    };
  }
  if (code === 'XX001' || code === 'XX002') {
    return { as: 'corrupt', hint: 'The server reports damaged data. Restore a backup.' };
  }
  return { as: 'io', hint: "See the server's log. What was being written is not acknowledged." };
}
