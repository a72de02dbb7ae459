/** One task: its phases, what the next gate still needs, and the evidence that there is. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaskShow } from '../../../src/contracts/task.ts';
import { type ApiError, post } from '../api.ts';
import { words } from '../format.ts';
import { Prose } from '../parts/prose.tsx';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Task({ id }: { readonly id: string }) {
  const task = useApi<TaskShow>(`/api/tasks/${encodeURIComponent(id)}`);
  return (
    <Asked of={task} page="Task">
      {(shown) => <Shown shown={shown} />}
    </Asked>
  );
}

const PHASES = { done: 'good', now: 'accent', ahead: '' } as const;

function Shown({ shown }: { readonly shown: TaskShow }) {
  return (
    <>
      <Head
        title={shown.title}
        sub={
          <>
            By {shown.worker}, since <When at={shown.startedAt} /> · <Link to="/tasks">Tasks</Link>
          </>
        }
      >
        <Tag word={shown.state} tone={shown.state === 'done' ? 'good' : 'accent'} />
      </Head>
      {shown.escalated === null ? null : <Release id={shown.id} why={shown.escalated.why} />}
      <section className="card" aria-label="Phases">
        <h2>Phases</h2>
        <div className="tags">
          {shown.phases.map(({ name, state }) => (
            <Tag key={name} word={name} tone={PHASES[state]} title={state} />
          ))}
        </div>
        {shown.missing.length === 0 ? null : (
          <>
            <br />
            <h3>What {words(shown.phase)} still needs</h3>
            <ul className="proof">
              {shown.missing.map(({ about, why }) => (
                <li key={about + why}>
                  <Prose text={why} />
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section className="card" aria-label="Evidence">
        <h2>Evidence</h2>
        {shown.evidence.length === 0 ? (
          <Empty title="None yet." />
        ) : (
          <ul className="rows">
            {shown.evidence.map((one) => (
              <li key={one.id} className="row">
                <Tag
                  word={one.isValid ? (one.isFresh ? 'right' : 'stale') : 'wrong'}
                  tone={one.isValid ? (one.isFresh ? 'good' : 'warn') : 'bad'}
                />
                <span className="what">
                  <span className="clip">
                    {one.kind} {one.name}{' '}
                    <span className="soft">
                      in {one.phase}, {one.origin === 'claimed' ? 'handed in' : 'made by Hone'}
                    </span>
                  </span>
                  {one.problem === null ? null : (
                    <span className="clip3 soft">
                      <Prose text={one.problem} />
                    </span>
                  )}
                </span>
                <When at={one.at} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

/** A person lets it go on. */
function Release({ id, why }: { readonly id: string; readonly why: string }) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<ApiError>();
  const send = () =>
    post(`/api/tasks/${id}/release`, { reason }).then(
      () => void client.invalidateQueries(),
      (failed: ApiError) => setError(failed),
    );
  return (
    <form
      className="card"
      aria-label="A person is asked"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h2>A person is asked</h2>
      <p>
        <Prose text={why} />
      </p>
      <label>
        Reason, for the record
        <textarea
          required
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      {error === undefined ? null : (
        <p className="note bad" role="alert">
          {error.message} {error.hint}
        </p>
      )}
      <div className="buttons">
        <button type="submit" className="main">
          Let it go on
        </button>
      </div>
    </form>
  );
}
