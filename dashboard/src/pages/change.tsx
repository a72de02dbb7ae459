/** One change: how near its watch is to an alarm, how it did, and its story. */
import { useState } from 'react';
import type { ShownChange, ShownWatch } from '../../../src/contracts/change.ts';
import type { PatternSeries } from '../../../src/contracts/pattern.ts';
import type { ShownProposal } from '../../../src/contracts/proposal.ts';
import { dayAndTime, number, percent, shareOf, words } from '../format.ts';
import { useKeys } from '../keys.ts';
import { type Mark, WatchChart } from '../parts/chart.tsx';
import { DecideDialog } from '../parts/decide-dialog.tsx';
import { Failures } from '../parts/failures.tsx';
import { Prose } from '../parts/prose.tsx';
import { Asked, Head, Tag, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

const RINGS = {
  changed: 'What it changed',
  shared: 'What shares its place',
  rest: 'The rest of the fleet',
} as const;

/** Evidence multiplies: beyond the boundary its size says nothing more. */
const nearness = (share: number) =>
  share >= 1 ? 'past the alarm' : `${percent(share)} of what an alarm needs`;

export default function Change({ id }: { readonly id: string }) {
  const change = useApi<ShownChange>(`/api/changes/${encodeURIComponent(id)}`);
  return (
    <Asked of={change} page="Change">
      {(shown) => <Shown shown={shown} />}
    </Asked>
  );
}

function Shown({ shown }: { readonly shown: ShownChange }) {
  const watch = useApi<ShownWatch>(`/api/changes/${shown.id}/watch`);
  const proposal = useApi<ShownProposal>(`/api/proposals/${shown.id}`);
  const patternId = proposal.data?.content.patternId ?? undefined;
  const series = useApi<PatternSeries>(
    patternId === undefined ? undefined : `/api/patterns/${patternId}/series`,
  );
  const [isTaking, setTaking] = useState(false);
  const canTake = shown.state === 'implemented' || shown.state === 'monitoring';
  useKeys({ b: () => canTake && setTaking(true) });
  return (
    <>
      <Head
        title={shown.title}
        sub={
          <>
            Deployed <When at={shown.deployedAt} />
            {shown.watchedUntil === null ? '' : `, watched until ${dayAndTime(shown.watchedUntil)}`}{' '}
            · <Link to={`/proposals/${shown.id}`}>Proposal</Link> ·{' '}
            <Link to="/changes">Changes</Link>
          </>
        }
      >
        <Tag word={shown.state} />
        {canTake ? (
          <button type="button" className="danger" onClick={() => setTaking(true)}>
            Take back <kbd>b</kbd>
          </button>
        ) : null}
      </Head>
      {shown.rollback === null ? null : (
        <p className="note bad">
          It seems to do harm: <Prose text={shown.rollback.why} />
        </p>
      )}
      {shown.outcomeReason === null ? null : (
        <p className="note">
          <b>{words(shown.outcome ?? '')}</b>: <Prose text={shown.outcomeReason} />
        </p>
      )}
      {series.data === undefined ? null : (
        <section className="card" aria-label="Before and since">
          <h2>Before and since</h2>
          <Failures found={series.data} marks={marksOf(shown, proposal.data)} />
        </section>
      )}
      <section className="card" aria-label="Watch">
        <h2>How near the watch is to an alarm</h2>
        <Asked of={watch}>
          {({ rings, series }) => (
            <>
              <div className="grid three">
                {rings.map(({ ring, share, course }) => (
                  <div key={ring}>
                    <h3>{RINGS[ring]}</h3>
                    <p className={share >= 1 ? 'bad' : 'soft'}>{nearness(share)}</p>
                    {course.length < 2 ? (
                      <p className="soft">Too early to draw.</p>
                    ) : (
                      <WatchChart
                        course={course}
                        label={`${RINGS[ring]}: evidence of harm by the hour; 1 is an alarm`}
                      />
                    )}
                  </div>
                ))}
              </div>
              {series.length === 0 ? null : (
                <div className="scroll">
                  <table>
                    <thead>
                      <tr>
                        <th>Nearest to an alarm</th>
                        <th className="number">failed before</th>
                        <th className="number">since</th>
                        <th className="number">of an alarm</th>
                      </tr>
                    </thead>
                    <tbody>
                      {series.map((one) => (
                        <tr key={`${one.agent} ${one.tool}`}>
                          <td>
                            {one.tool === '' ? one.agent : one.tool}
                            {one.tool === '' ? null : <span className="soft"> of {one.agent}</span>}
                          </td>
                          <td className="number">
                            {percent(shareOf(one.before))} of {number(one.before.all)}
                          </td>
                          <td className="number">
                            {percent(shareOf(one.since))} of {number(one.since.all)}
                          </td>
                          <td className="number">
                            {one.share >= 1 ? 'past it' : percent(one.share)}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </>
          )}
        </Asked>
      </section>
      <div className="grid">
        <section className="card" aria-label="Effect">
          <h2>What it did to the failures that it answers</h2>
          {shown.effects.length === 0 ? (
            <p className="soft">It is measured after a day, a week and two weeks.</p>
          ) : (
            <div className="scroll">
              <table>
                <thead>
                  <tr>
                    <th>After</th>
                    <th className="number">before</th>
                    <th className="number">since</th>
                    <th className="number">fewer failures</th>
                  </tr>
                </thead>
                <tbody>
                  {shown.effects.map((one) => (
                    <tr key={one.after + one.at}>
                      <td>{one.after.replaceAll('_', ' ')}</td>
                      <td className="number">{percent(shareOf(one.before))}</td>
                      <td className="number">{percent(shareOf(one.since))}</td>
                      <td className="number">
                        <b>{percent(one.benefit)}</b>
                        <br />
                        <span className="soft">
                          {percent(one.low)} to {percent(one.high)}
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
        <section className="card" aria-label="Story">
          <h2>Story</h2>
          <ul className="rows">
            {shown.story.map(({ at, what }) => (
              <li key={at + what} className="row">
                <span className="what clip3">
                  <Prose text={what} />
                </span>
                <When at={at} />
              </li>
            ))}
          </ul>
        </section>
      </div>
      {isTaking && proposal.data !== undefined ? (
        <DecideDialog act="rollback" shown={proposal.data} close={() => setTaking(false)} />
      ) : null}
    </>
  );
}

/** When it came and, where it was taken back, when. */
function marksOf(shown: ShownChange, proposal: ShownProposal | undefined): Mark[] {
  const { id, title, deployedAt } = shown;
  const back = (proposal?.attestations ?? []).filter(
    ({ kind, verdict }) => kind === 'rollback' && verdict === 'done',
  );
  return [
    ...(deployedAt === null ? [] : [{ at: deployedAt, kind: 'deployed' as const, title, id }]),
    ...back.map(({ at }) => ({ at, kind: 'rolled_back' as const, title, id })),
  ];
}
