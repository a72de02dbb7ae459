/** A recurring failure over time, since when it is there, and examples of it. */
import type { PatternSeries } from '../../../src/contracts/pattern.ts';
import { dayAndTime, percent, span } from '../format.ts';
import { Link } from '../router.tsx';
import { FailureChart, type Mark } from './chart.tsx';
import { When } from './states.tsx';

/** Of the hour that begins then. */
const endOf = (at: string) => new Date(Date.parse(at) + 3_600_000).toISOString();

export function Failures({
  found,
  marks: more = [],
}: {
  readonly found: PatternSeries;
  readonly marks?: readonly Mark[];
}) {
  const { hours, since, commit, during, otherwise, examples } = found;
  const began: Mark[] =
    since === null ? [] : [{ at: since.at, kind: 'found', title: 'it began', id: found.id }];
  const marks = [...began, ...more];
  return (
    <>
      {hours.length < 2 ? (
        <p className="soft">
          It is not about calls of one tool, so there is no share of them to draw.
        </p>
      ) : (
        <FailureChart
          hours={hours}
          from={hours[0]!.at}
          to={endOf(hours.at(-1)!.at)}
          marks={marks}
          height={160}
          label="Share of the calls at this place that failed, by the hour"
        />
      )}
      <p className="soft">
        {since === null
          ? 'When it began is not known: it is as old as the record.'
          : `It began ${dayAndTime(since.at)} (between ${dayAndTime(since.low)} and ${dayAndTime(since.high)}, 95 % sure).`}
        {commit === null ? '' : ` Commit ${commit.slice(0, 12)} came then.`}
        {since === null || during === null || otherwise === null
          ? ''
          : ` ${percent(during)} of the calls fail with it, ${percent(otherwise)} without.`}
      </p>
      {examples.length === 0 ? null : (
        <>
          <h3>Examples</h3>
          <ul className="rows">
            {examples.map((one) => (
              <li key={one.id}>
                <Link
                  to={`/traces/${encodeURIComponent(one.traceId ?? one.session)}`}
                  className="row"
                >
                  <span className="what">
                    <span className="clip">{one.what}</span>
                    <span className="clip soft mono">{one.said}</span>
                  </span>
                  {one.durationMs === null ? null : (
                    <span className="when">{span(one.durationMs)}</span>
                  )}
                  <When at={one.at} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
