/** Failures that recur, and what became of each. */
import type { PatternList } from '../../../src/contracts/pattern.ts';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Patterns() {
  const patterns = useApi<PatternList>('/api/patterns?limit=100');
  return (
    <>
      <Head
        title="Patterns"
        sub="Failures that recur, why Hone thinks they do, and what became of each."
      />
      <section className="card" aria-label="Patterns">
        <Asked of={patterns}>
          {({ patterns: all }) =>
            all.length === 0 ? (
              <Empty title="Nothing recurs, as far as Hone has looked.">
                Ask for a cycle on the page <Link to="/loop">Loop</Link>.
              </Empty>
            ) : (
              <ul className="rows">
                {all.map((one) => (
                  <li key={one.id}>
                    <Link to={`/patterns/${one.id}`} className="row">
                      <Tag word={one.status} />
                      <span className="what">
                        <span className="clip" title={one.title.slice(0, 1000)}>
                          {one.title}
                        </span>
                        <span className="clip soft">
                          {[one.tool, one.agent].filter((word) => word !== '').join(' of ')} ·{' '}
                          {one.why}
                        </span>
                      </span>
                      <Tag word={one.layer} />
                      <When at={one.lastSeenAt} />
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Asked>
      </section>
    </>
  );
}
