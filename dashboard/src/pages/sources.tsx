/** Where telemetry comes from, how fresh it is, and what could not be used. */
import type { SourcesList } from '../../../src/contracts/source.ts';
import type { Status } from '../../../src/contracts/status.ts';
import { counted, number } from '../format.ts';
import { Asked, Empty, Head, Tag, When } from '../parts/states.tsx';
import { useApi } from '../use-api.ts';

const RECEIVER: Readonly<Record<Status['receiver']['state'], string>> = {
  off: 'Telemetry cannot be sent to Hone: observe.otlp is off, else it would be at',
  free: 'Nobody listens for telemetry (OTLP) at',
  listening: 'Agents can send telemetry (OTLP) to',
  other_hone: 'Another Hone takes the telemetry (OTLP) that is sent to',
  other_program: 'Another program has the port for telemetry (OTLP):',
};

export default function Sources() {
  const sources = useApi<SourcesList>('/api/sources');
  const status = useApi<Status>('/api/status');
  return (
    <>
      <Head title="Sources" sub="Where telemetry comes from, and how fresh it is." />
      <Asked of={status}>
        {({ receiver }) => (
          <p className="note">
            {RECEIVER[receiver.state]} <code>http://{receiver.address}</code>
            {receiver.lastHour === null
              ? '.'
              : `: ${receiver.lastHour === 0 ? 'nothing' : counted(receiver.lastHour, 'event')} in the last hour.`}
          </p>
        )}
      </Asked>
      <Asked of={sources}>
        {({ sources: all }) =>
          all.length === 0 ? (
            <Empty title="No source is connected.">
              Run <code>hone sources add &lt;path&gt;</code>, or send OTLP to the address above.
            </Empty>
          ) : (
            all.map((one) => (
              <section key={one.name} className="card" aria-label={one.name.slice(0, 100)}>
                <h2 className="clip" title={one.name.slice(0, 1000)}>
                  {one.name}
                </h2>
                <div className="figures">
                  <div className="figure">
                    <b>{number(one.events)}</b>
                    <span>events</span>
                  </div>
                  <div className="figure">
                    <b>{number(one.eventsPerHour)}</b>
                    <span>an hour, last 24 h</span>
                  </div>
                  <div className="figure">
                    <b className={one.aside === 0 ? '' : 'warn'}>{number(one.aside)}</b>
                    <span>lines set aside</span>
                  </div>
                  <div className="figure">
                    <b>
                      <When at={one.lastEventAt} />
                    </b>
                    <span>newest event</span>
                  </div>
                </div>
                <div className="tags">
                  {one.kind === null ? (
                    <Tag word="not configured any more" tone="warn" />
                  ) : (
                    <Tag word={one.kind} />
                  )}
                  {one.path === null ? null : <Tag word={one.path} />}
                </div>
                {one.lastError === null ? null : <p className="note bad">{one.lastError}</p>}
                {one.notes.map((note) => (
                  <p key={note} className="soft">
                    {note}
                  </p>
                ))}
                {one.reasons.length === 0 ? null : (
                  <div className="scroll">
                    <table>
                      <thead>
                        <tr>
                          <th>Why lines could not be used</th>
                          <th className="number">lines</th>
                          <th>newest</th>
                        </tr>
                      </thead>
                      <tbody>
                        {one.reasons.map((reason) => (
                          <tr key={reason.detail}>
                            <td>{reason.detail}</td>
                            <td className="number">{number(reason.lines)}</td>
                            <td>
                              {reason.last.file}
                              {reason.last.line === null ? '' : `:${reason.last.line}`}
                            </td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </div>
                )}
              </section>
            ))
          )
        }
      </Asked>
    </>
  );
}
