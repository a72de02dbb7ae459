/** Tasks of agents at work: in which phase each is, and about which a person is asked. */
import type { TaskList } from '../../../src/contracts/task.ts';
import { query } from '../api.ts';
import { Prose } from '../parts/prose.tsx';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { Link, useQuery } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Tasks() {
  const [search, change] = useQuery();
  const state = search.get('state') ?? '';
  const tasks = useApi<TaskList>(`/api/tasks${query({ state, limit: 100 })}`);
  return (
    <>
      <Head
        title="Tasks"
        sub="What agents work on under Hone: a phase ends when its evidence is there."
      >
        <fieldset className="segments" aria-label="Which tasks">
          {['', 'open', 'done'].map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={state === one}
              onClick={() => change('state', one)}
            >
              {one === '' ? 'all' : one}
            </button>
          ))}
        </fieldset>
      </Head>
      <section className="card" aria-label="Tasks">
        <Asked of={tasks}>
          {({ tasks: all }) =>
            all.length === 0 ? (
              <Empty title="No agent works under Hone yet.">
                <code>hone task start</code> begins a task; <code>hone hooks install</code> lets a
                coding agent ask Hone before it calls a tool.
              </Empty>
            ) : (
              <ul className="rows">
                {all.map((one) => (
                  <li key={one.id}>
                    <Link to={`/tasks/${one.id}`} className="row">
                      <Tag
                        word={one.escalated === null ? one.phase : 'asks you'}
                        tone={
                          one.escalated !== null ? 'warn' : one.state === 'done' ? 'good' : 'accent'
                        }
                      />
                      <span className="what">
                        <span className="clip" title={one.title}>
                          {one.title} <span className="soft">by {one.worker}</span>
                        </span>
                        {one.escalated === null ? null : (
                          <span className="clip soft">
                            <Prose text={one.escalated.why} />
                          </span>
                        )}
                      </span>
                      <When at={one.progressedAt} />
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
