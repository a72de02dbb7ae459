/** Failures that recur, and what became of each. */
import type { PatternList } from '../../../src/contracts/pattern.ts';
import { query } from '../api.ts';
import { useOlder } from '../parts/older.tsx';
import { Prose } from '../parts/prose.tsx';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';

export default function Patterns() {
  const { first, pages, older } = useOlder<PatternList>(
    (before) => `/api/patterns${query({ before, limit: 50 })}`,
  );
  return (
    <>
      <Head
        title="Patterns"
        sub="Failures that recur, why Hone thinks they do, and what became of each."
      />
      <section className="card" aria-label="Patterns">
        <Asked of={first}>
          {(page) => {
            const all = [page, ...pages].flatMap(({ patterns }) => patterns);
            return all.length === 0 ? (
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
                          <Prose text={one.why} />
                        </span>
                      </span>
                      <Tag word={one.layer} />
                      <When at={one.lastSeenAt} />
                    </Link>
                  </li>
                ))}
              </ul>
            );
          }}
        </Asked>
        {older}
      </section>
    </>
  );
}
