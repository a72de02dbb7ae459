/** The loop: its cycles, what asks for one, what runs by the clock, and the kill switch. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CycleList } from '../../../src/contracts/cycle.ts';
import type { ScheduleList } from '../../../src/contracts/schedule.ts';
import type { Status } from '../../../src/contracts/status.ts';
import type { TriggerList } from '../../../src/contracts/trigger.ts';
import { type ApiError, post, query } from '../api.ts';
import { counted, number, spaced, span } from '../format.ts';
import { useOlder } from '../parts/older.tsx';
import { Asked, Empty, Failed, Head, Tag, When } from '../parts/states.tsx';
import { Modal } from '../parts/token-dialog.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

/** Why a cycle begins. */
const BEGUN: Readonly<Record<string, string>> = {
  human: 'asked for by a person',
  pattern: 'because a failure recurs',
  periodic: 'by the clock',
  threshold: 'because a limit was passed',
  meta: 'because Hone’s own health asks for it',
};

export default function Loop() {
  const status = useApi<Status>('/api/status');
  const cycles = useOlder<CycleList>((before) => `/api/cycles${query({ before, limit: 20 })}`);
  const schedules = useApi<ScheduleList>('/api/schedules');
  const triggers = useApi<TriggerList>('/api/triggers');
  const client = useQueryClient();
  const [error, setError] = useState<ApiError>();
  const [asking, setAsking] = useState<'stop' | 'resume'>();
  const begin = () =>
    post('/api/cycles', {}).then(
      () => void client.invalidateQueries(),
      (failed: ApiError) => setError(failed),
    );
  const stopped = status.data?.stopped === true;
  return (
    <>
      <Head
        title="Loop"
        sub="Looks for recurring failures, proposes, proves, deploys what was allowed, watches."
      >
        <button type="button" onClick={() => void begin()} disabled={stopped}>
          Look now
        </button>
        <button
          type="button"
          className={stopped ? 'main' : 'danger'}
          onClick={() => setAsking(stopped ? 'resume' : 'stop')}
        >
          {stopped ? 'Resume' : 'Stop everything'}
        </button>
      </Head>
      {error === undefined ? null : <Failed error={error} again={() => void begin()} />}
      <section className="card" aria-label="Cycles">
        <h2>Cycles</h2>
        <Asked of={cycles.first}>
          {(page) => {
            const all = [page, ...cycles.pages].flatMap((one) => one.cycles);
            return all.length === 0 ? (
              <Empty title="No cycle ran yet.">“Look now” begins one.</Empty>
            ) : (
              <ul className="rows">
                {all.map((one) => (
                  <li key={one.id}>
                    <Link to={`/loop/${one.id}`} className="row">
                      <Tag
                        word={one.outcome ?? 'running'}
                        tone={
                          one.outcome === 'failed' ? 'bad' : one.outcome === null ? 'accent' : ''
                        }
                      />
                      <span className="what clip">
                        {counted(one.patterns, 'failure')} found, {number(one.proposals)} proposed{' '}
                        <span className="soft">· {BEGUN[one.trigger] ?? spaced(one.trigger)}</span>
                      </span>
                      {one.activeMs < 1 ? null : (
                        <span className="when">{span(one.activeMs)} of work</span>
                      )}
                      <When at={one.startedAt} />
                    </Link>
                  </li>
                ))}
              </ul>
            );
          }}
        </Asked>
        {cycles.older}
      </section>
      <div className="grid">
        <section className="card" aria-label="Triggers">
          <h2>What asks for a cycle</h2>
          <Asked of={triggers}>
            {({ triggers: all }) =>
              all.length === 0 ? (
                <Empty title="Nothing asks for one." />
              ) : (
                <ul className="rows">
                  {all.slice(0, 12).map((one) => (
                    <li key={one.key} className="row">
                      <Tag
                        word={one.cycle === null ? 'waits' : 'taken'}
                        tone={one.cycle === null ? 'accent' : ''}
                      />
                      <span className="what">
                        <span className="clip">{one.detail}</span>
                        <span className="soft">
                          {[
                            ...(one.urgency === 'high' ? ['urgent'] : []),
                            ...(one.times === 1 ? [] : [`asked ${number(one.times)} times`]),
                          ].join(', ')}
                        </span>
                      </span>
                      <When at={one.lastAt} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Asked>
        </section>
        <section className="card" aria-label="Schedules">
          <h2>By the clock</h2>
          <Asked of={schedules}>
            {({ schedules: all }) => (
              <div className="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Schedule</th>
                      <th>last</th>
                      <th>next</th>
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((one) => (
                      <tr key={one.name}>
                        <td>{spaced(one.name)}</td>
                        <td>
                          {one.lastOutcome === null ? (
                            '–'
                          ) : (
                            <Tag
                              word={one.lastOutcome}
                              tone={one.lastOutcome === 'done' ? 'good' : ''}
                            />
                          )}
                        </td>
                        <td>
                          <When at={one.nextDueAt} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Asked>
        </section>
      </div>
      {asking === undefined ? null : (
        <SwitchDialog act={asking} close={() => setAsking(undefined)} />
      )}
    </>
  );
}

function SwitchDialog({
  act,
  close,
}: {
  readonly act: 'stop' | 'resume';
  readonly close: () => void;
}) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<ApiError>();
  const send = () =>
    post(`/api/${act}`, reason.trim() === '' && act === 'stop' ? {} : { reason }).then(
      () => {
        void client.invalidateQueries();
        close();
      },
      (failed: ApiError) => setError(failed),
    );
  return (
    <Modal close={close} label={act}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2>{act === 'stop' ? 'Stop everything automatic' : 'Lift the stop'}</h2>
        <p className="soft">
          {act === 'stop'
            ? 'At once, until a person lifts it. Watching and rolling back go on.'
            : 'An operator’s token is needed.'}
        </p>
        <label>
          Reason, for the record
          <textarea
            required={act === 'resume'}
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
            {act === 'stop' ? 'Stop' : 'Resume'}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}
