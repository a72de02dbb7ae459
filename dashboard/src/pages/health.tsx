/** How Hone itself does: its own measures, gates, work that fails, and what it sends out. */
import type { OutboxList } from '../../../src/contracts/outbox.ts';
import type { Status } from '../../../src/contracts/status.ts';
import type { SwitchList } from '../../../src/contracts/switch.ts';
import type { TrackRecord } from '../../../src/contracts/track-record.ts';
import { query } from '../api.ts';
import { number } from '../format.ts';
import { useOlder } from '../parts/older.tsx';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { Confidence, Decisions } from '../parts/track-record.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Health() {
  const status = useApi<Status>('/api/status');
  const record = useApi<TrackRecord>('/api/track-record');
  const switches = useApi<SwitchList>('/api/switches');
  const outbox = useOlder<OutboxList>((before) => `/api/outbox${query({ before, limit: 10 })}`);
  return (
    <>
      <Head title="Health" sub="Whether Hone itself works as it should." />
      <Asked of={status}>
        {(shown) => (
          <>
            <Notes shown={shown} />
            <div className="figures">
              <div className="figure">
                <b>{shown.needsPerson.length}</b>
                <span>wait for a person</span>
              </div>
              <div className="figure">
                <b className={shown.troubles.length === 0 ? '' : 'bad'}>{shown.troubles.length}</b>
                <span>units of work that fail</span>
              </div>
              <div className="figure">
                <b>{number(shown.ledger.entries)}</b>
                <span>ledger entries, checkpoint at {shown.ledger.checkpointSize ?? '–'}</span>
              </div>
              <div className="figure">
                <b>{shown.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</b>
                <span>store</span>
              </div>
            </div>
          </>
        )}
      </Asked>
      <div className="grid">
        <div>
          <Asked of={status}>
            {(shown) => (
              <section className="card" aria-label="Measures">
                <h2>Measures</h2>
                <Checks of={[...shown.health, ...(record.data?.measures ?? [])]} />
              </section>
            )}
          </Asked>
          <Asked of={record}>
            {({ decisions, confidence }) => (
              <>
                <Decisions decisions={decisions} />
                <Confidence confidence={confidence} />
              </>
            )}
          </Asked>
          <section className="card" aria-label="Gates">
            <h2>Gates</h2>
            <Asked of={switches}>
              {({ switches: all }) => (
                <ul className="rows">
                  {all.map(({ gate, mode, about }) => (
                    <li key={gate} className="row">
                      <span className="what">
                        {gate} <span className="soft">{about}</span>
                      </span>
                      <Tag word={mode} tone={mode === 'enforce' ? 'good' : 'warn'} />
                    </li>
                  ))}
                </ul>
              )}
            </Asked>
          </section>
        </div>
        <div>
          <Asked of={status}>
            {(shown) => (
              <section className="card" aria-label="Decisions by state">
                <h2>Proposals by state</h2>
                {Object.keys(shown.proposals).length === 0 ? (
                  <Empty title="No proposals yet." />
                ) : (
                  <ul className="rows">
                    {Object.entries(shown.proposals).map(([state, many]) => (
                      <li key={state} className="row">
                        <span className="what">
                          <Link to={`/queue?state=${state}`}>{state.replaceAll('_', ' ')}</Link>
                        </span>
                        <b>{many}</b>
                      </li>
                    ))}
                  </ul>
                )}
              </section>
            )}
          </Asked>
          <section className="card" aria-label="Effects">
            <h2>Sent out lately</h2>
            <Asked of={outbox.first}>
              {(page) => {
                const all = [page, ...outbox.pages].flatMap(({ effects }) => effects);
                return all.length === 0 ? (
                  <Empty title="Nothing was sent." />
                ) : (
                  <ul className="rows">
                    {all.map((one) => (
                      <li key={one.key} className="row">
                        <Tag
                          word={one.state}
                          tone={
                            one.state === 'delivered' ? 'good' : one.state === 'dead' ? 'bad' : ''
                          }
                        />
                        <span className="what clip" title={one.key}>
                          to {one.destination} <span className="soft mono">{one.key}</span>
                        </span>
                        <When at={one.changedAt} />
                      </li>
                    ))}
                  </ul>
                );
              }}
            </Asked>
            {outbox.older}
          </section>
        </div>
      </div>
    </>
  );
}

function Checks({
  of,
}: {
  readonly of: readonly (Status['health'] | TrackRecord['measures'])[number][];
}) {
  return (
    <ul className="rows">
      {of.map(({ id, state, text }) => (
        <li key={id} className="row">
          <Tag word={state === 'unknown' ? 'too few' : state} />
          <span className="what">{text}</span>
          <span className="when">{id}</span>
        </li>
      ))}
    </ul>
  );
}

function Notes({ shown }: { readonly shown: Status }) {
  const notes = [
    ...(shown.configuration === 'accepted'
      ? []
      : [`hone.yaml is ${shown.configuration}: see "hone config show".`]),
    ...(shown.otherInstallation
      ? ['Another installation of Hone is in charge of this repository; this one deploys nothing.']
      : []),
    ...shown.clockDoubts.map(
      ({ clock, other }) => `The clock is in doubt: it says ${clock}, the record ${other}.`,
    ),
    ...(shown.failedSchedule === null
      ? []
      : [
          `${shown.failedSchedule.name} ${shown.failedSchedule.outcome}: ${shown.failedSchedule.error ?? ''}`,
        ]),
    ...(shown.checkedOut === null
      ? []
      : [
          `${shown.checkedOut.branch} is checked out in ${shown.checkedOut.folder}: Hone does not deploy to it meanwhile.`,
        ]),
    ...shown.troubles.map(
      ({ work, attempts, error }) => `${work} failed ${attempts} times: ${error}`,
    ),
  ];
  return notes.map((note) => (
    <p key={note} className="note warn">
      {note}
    </p>
  ));
}
