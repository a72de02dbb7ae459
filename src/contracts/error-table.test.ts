/** The table has every code that a room throws, and no other. Most of it is checked by the types. */
import { expect, test } from 'vitest';
import type { ArtifactErrorCode } from '../artifact/index.ts';
import type { BackupErrorCode } from '../backup/index.ts';
import type { ConfigErrorCode } from '../config/index.ts';
import type { EvidenceErrorCode } from '../evidence/index.ts';
import { GitError, type GitErrorCode } from '../git/index.ts';
import type { HomeErrorCode } from '../home/index.ts';
import type { IdentityErrorCode } from '../identity/index.ts';
import type { LedgerErrorCode } from '../ledger/index.ts';
import type { PolicyErrorCode } from '../policy/index.ts';
import type { ProcessErrorCode } from '../process/index.ts';
import type { ProposalErrorCode } from '../proposal/index.ts';
import type { StoreErrorCode } from '../store/index.ts';
import { type ERROR_TABLE, errorStatus } from './error-table.ts';

interface Codes {
  readonly StoreError: StoreErrorCode;
  readonly LedgerError: LedgerErrorCode;
  readonly ArtifactError: ArtifactErrorCode;
  readonly ConfigError: ConfigErrorCode;
  readonly HomeError: HomeErrorCode;
  readonly IdentityError: IdentityErrorCode;
  readonly ProposalError: ProposalErrorCode;
  readonly EvidenceError: EvidenceErrorCode;
  readonly PolicyError: PolicyErrorCode;
  readonly ProcessError: ProcessErrorCode;
  readonly GitError: GitErrorCode;
  readonly BackupError: BackupErrorCode;
}

type Table = typeof ERROR_TABLE;
/** The rooms whose codes are not exactly those of the table. */
type Wrong = {
  [Room in keyof Codes]: [Codes[Room], keyof Table[Room]] extends [keyof Table[Room], Codes[Room]]
    ? never
    : Room;
}[keyof Codes];

test('every code of every room has its status', () => {
  const complete: [Wrong] extends [never] ? true : Wrong = true;
  expect(complete).toBe(true);
});

test('what is not in the table is a defect', () => {
  expect(errorStatus(new GitError('unknown_commit', 'It is gone.'))).toEqual({
    exit: 2,
    http: 404,
  });
  for (const fault of [new Error('any'), new GitError('no such code' as never, ''), 'text']) {
    expect(errorStatus(fault)).toEqual({ exit: 4, http: 500 });
  }
});
