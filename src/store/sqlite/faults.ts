/** Maps SQLite's result codes to the store's errors, by number, never by message text. */
import { errorMessage } from '../../base/index.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';

const BUSY = 5;
const LOCKED = 6;
const CONSTRAINT = 19;
const CONSTRAINT_TRIGGER = 1811;
const IO = 10;
const FULL = 13;
const NOT_A_DATABASE = 26;
/** The file that readers and writers share could not be made larger: with a full disk not even reading begins. */
const IO_SHARED_SIZE = 4874;

const FAULTS: Readonly<Record<number, { code: StoreErrorCode; what: string; hint: string }>> = {
  [BUSY]: {
    code: 'busy',
    what: 'is locked by another process',
    hint: 'Another process has held the write lock for too long. End it, then try again.',
  },
  8: {
    code: 'read_only',
    what: 'cannot be written',
    hint: 'Give your user write access to the file and its folder.',
  },
  [IO]: {
    code: 'io',
    what: 'could not be read or written',
    hint: 'Check the disk. Writes that were acknowledged are kept; the one in progress is not.',
  },
  11: {
    code: 'corrupt',
    what: 'is damaged',
    hint: 'Stop Hone and put a backup in its place: "hone restore FILE --replace". Without one, move it and its -wal file away and run "hone init", which starts from nothing.',
  },
  [FULL]: {
    code: 'disk_full',
    what: 'does not fit on the disk',
    hint: 'Free some space, then try again.',
  },
  14: {
    code: 'unreachable',
    what: 'cannot be opened',
    hint: 'Check that the folder exists and that your user may read and write it.',
  },
  [CONSTRAINT]: {
    code: 'constraint',
    what: 'refused a row that conflicts with one that is there',
    hint: 'This is a defect in Hone; please report it.',
  },
  [NOT_A_DATABASE]: {
    code: 'foreign',
    what: 'is not a SQLite database',
    hint: 'Move it away, or point Hone at another state folder.',
  },
};

/** The result code of a `node:sqlite` error, with all that it says. */
function extendedCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** The primary result code. */
function resultCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === IO_SHARED_SIZE ? FULL : code === undefined ? undefined : code & 0xff;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** A trigger of ours said no. */
export function isRefusedByTrigger(error: unknown): boolean {
  return extendedCode(error) === CONSTRAINT_TRIGGER;
}

export function isNoDatabase(error: unknown): boolean {
  return resultCode(error) === NOT_A_DATABASE;
}

/** A broken constraint, or a plan that cannot be written down: the others of the batch go on. */
export function isOwnFault(error: unknown): boolean {
  const code = resultCode(error);
  return code === undefined || code === CONSTRAINT;
}

/** Anything thrown by `node:sqlite`, as a `StoreError`; other errors are returned as they are. */
export function storeError(error: unknown, location: string): unknown {
  if (error instanceof StoreError) return error;
  const code = resultCode(error);
  if (code === undefined) return error;
  const fault = FAULTS[code] ?? FAULTS[IO]!;
  const detail = errorMessage(error);
  return new StoreError(fault.code, `${location} ${fault.what} (${detail}).`, {
    hint: fault.hint,
    cause: error,
  });
}
