/** `hone ledger verify`: whether the ledger is what it was. Exit 1 and the first bad entry when it is not. */
import { verifyLedger } from '../../app/verify-ledger.ts';
import type { VerifiedLedger } from '../../contracts/ledger.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { type Io, plain } from '../io.ts';
import { wrapLines } from '../layout.ts';

export function ledgerVerify(
  context: Context,
  options: { against?: string; key?: string },
): Promise<number> {
  return answer(
    context,
    verifyLedger(context, options),
    (verdict) => verdictText(verdict, context.io),
    ({ ok }) => (ok ? 0 : 1),
  );
}

function verdictText({ problem, ...shown }: VerifiedLedger, { columns }: Io): string {
  if (problem !== null) {
    const verdict = problem.kind === 'other_ledger' ? 'NOT COMPARED' : 'NOT VERIFIED';
    return `${verdict}\n${wrapLines(plain(`${problem.message}\n${problem.advice}`), columns)}`;
  }
  const lines = [
    `Verified ${shown.size} entries.`,
    ...(shown.unplaced === 0
      ? []
      : [
          `${shown.unplaced} more have no place in the ledger yet and were not checked. Verify again.`,
        ]),
    `Root ${shown.root}`,
    coverText(shown),
  ];
  return wrapLines(lines.join('\n'), columns);
}

/** Nothing is covered by a checkpoint that was not compared. */
function coverText({ size, coveredSize, checkpoints }: Omit<VerifiedLedger, 'problem'>): string {
  if (checkpoints !== 0 && coveredSize === size) return 'All of them are covered by a checkpoint.';
  const covered = coveredSize === 0 ? 'None of them is' : `${coveredSize} are`;
  return (
    `${covered} covered by a checkpoint; entries could be removed from the end unnoticed.\n` +
    'Keep the output of "hone ledger checkpoint" elsewhere.'
  );
}
