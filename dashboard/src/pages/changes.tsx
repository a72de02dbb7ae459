/** Every change that reached the target, with its watch and what came of it. */
import { useState } from 'react';
import type { ChangeList } from '../../../src/contracts/change.ts';
import { get, query } from '../api.ts';
import { Prose } from '../parts/prose.tsx';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

const path = (before?: string) => `/api/changes${query({ before, limit: 25 })}`;

export default function Changes() {
  const first = useApi<ChangeList>(path());
  const [pages, setPages] = useState<readonly ChangeList[]>([]);
  const next = (pages.at(-1) ?? first.data)?.next ?? null;
  return (
    <>
      <Head
        title="Changes"
        sub="What reached the target, how it is watched, and what came of it."
      />
      <section className="card" aria-label="Changes">
        <Asked of={first}>
          {(page) => {
            const all = [page, ...pages].flatMap(({ changes }) => changes);
            if (all.length === 0)
              return (
                <Empty title="Nothing was deployed yet.">
                  What you approve in the <Link to="/queue">queue</Link> appears here.
                </Empty>
              );
            return (
              <ul className="rows">
                {all.map((one) => (
                  <li key={one.id}>
                    <Link to={`/changes/${one.id}`} className="row">
                      <Tag word={one.state} />
                      <span className="what">
                        <span className="clip" title={one.title.slice(0, 1000)}>
                          {one.title}
                        </span>
                        {one.rollback === null ? null : (
                          <span className="clip bad">
                            It seems to do harm: <Prose text={one.rollback.why} />
                          </span>
                        )}
                      </span>
                      {one.watch === 'over' ? null : (
                        <Tag
                          word={one.watch === 'close' ? 'watched closely' : 'on probation'}
                          tone="accent"
                        />
                      )}
                      {one.outcome === null ? null : <Tag word={one.outcome} />}
                      <When at={one.deployedAt} />
                    </Link>
                  </li>
                ))}
              </ul>
            );
          }}
        </Asked>
        {next === null ? null : (
          <button
            type="button"
            onClick={() =>
              void get<ChangeList>(path(next)).then((page) => setPages([...pages, page]))
            }
          >
            Show older ones
          </button>
        )}
      </section>
    </>
  );
}
