/** Traces and sessions, by what happened in them. */
import type { TracesList } from '../../../src/contracts/event.ts';
import { query } from '../api.ts';
import { counted, number, span } from '../format.ts';
import { useOlder } from '../parts/older.tsx';
import { Asked, Empty, Head, When } from '../parts/states.tsx';
import { Link, useQuery } from '../router.tsx';

const SINCE_WORDS: Readonly<Record<string, string>> = {
  '1h': 'the last hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '14d': '14 days',
};
const SINCE = Object.keys(SINCE_WORDS);

export default function Traces() {
  const [search, change] = useQuery();
  const [agent, since, failed] = [
    search.get('agent') ?? '',
    search.get('since') ?? '24h',
    search.get('failed') ?? '',
  ];
  const { first, pages, older } = useOlder<TracesList>(
    (before) => `/api/telemetry/traces${query({ agent, since, failed, before, limit: 100 })}`,
  );
  return (
    <>
      <Head title="Traces" sub="What agents did, step by step." />
      <div className="filters">
        <label>
          Since
          <select value={since} onChange={(event) => change('since', event.target.value)}>
            {SINCE.map((one) => (
              <option key={one} value={one}>
                {SINCE_WORDS[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Agent
          <input
            value={agent}
            onChange={(event) => change('agent', event.target.value)}
            placeholder="any"
          />
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={failed === 'true'}
            onChange={(event) => change('failed', event.target.checked ? 'true' : '')}
          />
          only with failures
        </label>
      </div>
      <section className="card" aria-label="Traces">
        <Asked of={first}>
          {(page) => {
            const all = [page, ...pages].flatMap(({ traces }) => traces);
            const { more, next } = pages.at(-1) ?? page;
            return all.length === 0 ? (
              <Empty title="No traces in this time.">
                Look further back, or see whether <Link to="/sources">sources</Link> bring anything.
              </Empty>
            ) : (
              <>
                <ul className="rows">
                  {all.map((one) => (
                    <li key={one.id}>
                      <Link to={`/traces/${encodeURIComponent(one.id)}`} className="row">
                        <span className={`dot ${one.failed === 0 ? 'good' : 'bad'}`} />
                        <span className="what clip">
                          <span className="mono">{one.id}</span>{' '}
                          <span className="soft">{one.agents.join(', ') || one.session}</span>
                        </span>
                        {one.failed === 0 ? null : (
                          <span className="when bad">{number(one.failed)} failed</span>
                        )}
                        <span className="when column">{counted(one.events, 'step')}</span>
                        <span className="when column">
                          {span(Date.parse(one.lastAt) - Date.parse(one.firstAt))}
                        </span>
                        <When at={one.lastAt} />
                      </Link>
                    </li>
                  ))}
                </ul>
                {more && next === null ? (
                  <p className="soft">There are more: narrow the filters.</p>
                ) : null}
              </>
            );
          }}
        </Asked>
        {older}
      </section>
    </>
  );
}
