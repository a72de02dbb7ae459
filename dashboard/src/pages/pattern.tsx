/** One recurring failure: how it went, why, and what was done about it. */
import type { PatternSeries, ShownPattern } from '../../../src/contracts/pattern.ts';
import { number, percent } from '../format.ts';
import { Causes } from '../parts/causes.tsx';
import { Failures } from '../parts/failures.tsx';
import { Prose } from '../parts/prose.tsx';
import { Asked, Head, Tag, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Pattern({ id }: { readonly id: string }) {
  const path = `/api/patterns/${encodeURIComponent(id)}`;
  const pattern = useApi<ShownPattern>(path);
  const series = useApi<PatternSeries>(`${path}/series`);
  return (
    <Asked of={pattern} page="Pattern">
      {(shown) => (
        <>
          <Head
            title={shown.title}
            sub={
              <>
                First seen <When at={shown.firstSeenAt} />, last <When at={shown.lastSeenAt} /> ·{' '}
                <Link to="/patterns">Patterns</Link>
              </>
            }
          >
            <Tag word={shown.status} />
          </Head>
          <div className="figures">
            <div className="figure">
              <b>{number(shown.occurrences)}</b>
              <span>times, of {number(shown.calls)} calls</span>
            </div>
            <div className="figure">
              <b>{shown.calls === 0 ? '–' : percent(shown.occurrences / shown.calls)}</b>
              <span>of the calls at its place</span>
            </div>
            <div className="figure">
              <b>{number(shown.sessions)}</b>
              <span>sessions</span>
            </div>
            <div className="figure">
              <b>{percent(shown.confidence)}</b>
              <span>sure of its cause</span>
            </div>
          </div>
          <section className="card" aria-label="Over time">
            <h2>Over time</h2>
            <Asked of={series}>{(found) => <Failures found={found} />}</Asked>
          </section>
          <section className="card" aria-label="Why">
            <h2>Why</h2>
            <p>
              <Prose text={shown.why} />
            </p>
            {/* Those of a cause stand below, with the cause. */}
            {shown.reasons
              .filter((one) => !shown.considered.some((cause) => cause.for.includes(one)))
              .map((one) => (
                <p key={one} className="soft">
                  <Prose text={one} />
                </p>
              ))}
            <Causes considered={shown.considered} settledBy={shown.settledBy} />
          </section>
          <section className="card" aria-label="About it">
            <h2>About it</h2>
            <dl>
              <dt>Place</dt>
              <dd>{[shown.tool, shown.agent].filter((word) => word !== '').join(' of ')}</dd>
              <dt>Kind</dt>
              <dd>
                {shown.kind.replaceAll('_', ' ')}, {shown.severity}
              </dd>
              <dt>Template</dt>
              <dd className="mono">
                <span className="clip3">{series.data?.template ?? '…'}</span>
              </dd>
              <dt>Changes for it</dt>
              <dd>
                {shown.proposals.length === 0
                  ? 'none is open or deployed'
                  : shown.proposals.map((one) => (
                      <Link key={one} to={`/proposals/${one}`}>
                        {one}{' '}
                      </Link>
                    ))}
              </dd>
              <dt>Seen by</dt>
              <dd>
                <Link to={`/loop/${shown.cycle}`}>cycle {shown.cycle}</Link>
              </dd>
            </dl>
          </section>
        </>
      )}
    </Asked>
  );
}
