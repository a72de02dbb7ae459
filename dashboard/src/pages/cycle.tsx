/** One cycle: what it looked at, what it found, and why it acted or not. */
import type { CycleAnswer } from '../../../src/contracts/cycle.ts';
import { dayAndTime, number } from '../format.ts';
import { Prose } from '../parts/prose.tsx';
import { Asked, Empty, Head, Tag } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Cycle({ id }: { readonly id: string }) {
  const cycle = useApi<CycleAnswer>(`/api/cycles/${encodeURIComponent(id)}`);
  return (
    <Asked of={cycle} page="Cycle">
      {({ report, unfinished, cycle: name }) => (
        <>
          <Head
            title="Cycle"
            sub={
              <>
                <span className="mono">{name}</span> · <Link to="/loop">Loop</Link>
              </>
            }
          />
          {report === null ? (
            <Empty title={unfinished ?? 'It is not finished yet.'} />
          ) : (
            <>
              <p className="note">
                Looked at {dayAndTime(report.fromMs)} to {dayAndTime(report.toMs)}, read{' '}
                {number(report.collected.events)} new events.
              </p>
              {report.notes.map((note) => (
                <p key={note} className="note">
                  <Prose text={note} />
                </p>
              ))}
              <section className="card" aria-label="Findings">
                <h2>Findings</h2>
                {report.findings.length === 0 ? (
                  <Empty title="Nothing recurs." />
                ) : (
                  <ul className="rows">
                    {report.findings.map((one) => (
                      <li key={one.title} className="row">
                        <Tag word={one.did} />
                        <span className="what">
                          {one.pattern === null ? (
                            one.title
                          ) : (
                            <Link to={`/patterns/${one.pattern}`}>{one.title}</Link>
                          )}
                          <span className="clip3 soft">
                            <Prose text={one.why} />
                          </span>
                        </span>
                        {one.proposal === null ? null : (
                          <Link to={`/proposals/${one.proposal}`}>proposal</Link>
                        )}
                      </li>
                    ))}
                  </ul>
                )}
              </section>
            </>
          )}
        </>
      )}
    </Asked>
  );
}
