/**
 * Attributes of calls that go with a failure (DIAG-4): a model, a version, a provider, a variant, a task, a source. Counted as a table of
 * two by two at the failure's place; told where the correlation is at least 0.7 and, of all that were compared in a look, at most one in
 * twenty is chance. It is no cause: what goes with a failure may be what it hits. Pure.
 */
import type { AttributeCell } from '../facts/index.ts';
import { benjaminiHochberg, chiSquareSf } from '../stats/index.ts';
import type { Failure } from './types.ts';
import { count, percent, shown } from './wording.ts';

const CORRELATION_MIN = 0.7;
const FALSE_SHARE = 0.05;
/** With fewer expected failures or successes in a cell the approximation is none. */
const EXPECTED_MIN = 1;
const TOLD_MAX = 3;

export interface Goes extends AttributeCell {
  readonly correlation: number;
  /** Share of the other calls that fail. */
  readonly otherwise: number;
}

/** By failure, the strongest first. */
export function attributesOf(failures: readonly Failure[]): ReadonlyMap<string, readonly Goes[]> {
  const compared = failures.flatMap((failure) =>
    (failure.attributes ?? []).flatMap((cell) => {
      const table = tableOf(cell, failure);
      return table === undefined ? [] : [{ id: failure.id, ...table }];
    }),
  );
  const { found } = benjaminiHochberg(
    compared.map(({ pValue }) => pValue),
    FALSE_SHARE,
  );
  const sure = compared.filter(
    ({ goes }, at) => found[at] === true && goes.correlation >= CORRELATION_MIN,
  );
  return new Map(
    [...Map.groupBy(sure, ({ id }) => id)].map(([id, all]) => [
      id,
      all
        .map(({ goes }) => goes)
        .sort((a, b) => b.correlation - a.correlation)
        .slice(0, TOLD_MAX),
    ]),
  );
}

function tableOf(
  cell: AttributeCell,
  { failures, calls }: Failure,
): { readonly goes: Goes; readonly pValue: number } | undefined {
  const others = { failures: failures - cell.failures, calls: calls - cell.calls };
  if (others.calls <= 0 || others.failures < 0 || others.failures > others.calls) return undefined;
  const [bad, good] = [failures, calls - failures];
  const least = (Math.min(bad, good) * Math.min(cell.calls, others.calls)) / calls;
  if (!(least >= EXPECTED_MIN)) return undefined;
  const spread = Math.sqrt(bad * good * cell.calls * others.calls);
  const correlation =
    (cell.failures * (others.calls - others.failures) -
      others.failures * (cell.calls - cell.failures)) /
    spread;
  return {
    goes: { ...cell, correlation, otherwise: others.failures / others.calls },
    pValue: chiSquareSf(calls * correlation ** 2, 1),
  };
}

/** `It goes with the model gpt-x: 96 % of its 120 calls fail, 1 % of the others (correlation 0.93).` */
export function attributeWords({
  attribute,
  value,
  failures,
  calls,
  otherwise,
  correlation,
}: Goes): string {
  const share = percent(failures / calls);
  return `It goes with the ${attribute} ${shown(value, 60)}: ${share} of its ${count(calls)} calls fail, ${percent(otherwise)} of the others (correlation ${correlation.toFixed(2)}).`;
}
