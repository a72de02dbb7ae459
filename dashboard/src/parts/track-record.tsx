/** How much is asked of people, and whether Hone was as sure as it was right. */
import type { TrackRecord } from '../../../src/contracts/track-record.ts';
import { counted, percent, span } from '../format.ts';
import { Link } from '../router.tsx';
import { Empty, When } from './states.tsx';

export function Decisions({ decisions }: Pick<TrackRecord, 'decisions'>) {
  const { approved, rejected, byHone, medianMs, waiting, longestSince } = decisions;
  return (
    <section className="card" aria-label="Answers">
      <h2>What people were asked</h2>
      {approved + rejected + byHone + waiting === 0 ? (
        <Empty title="Nobody was asked yet." />
      ) : (
        <dl>
          <dt>Answered</dt>
          <dd>
            {approved} approved, {rejected} rejected
            {medianMs !== null && (
              <span className="soft">
                , half {medianMs < 1000 ? 'at once' : `within ${span(medianMs)}`}
              </span>
            )}
          </dd>
          <dt>By Hone</dt>
          <dd>{byHone === 0 ? 'none: a person decides' : `${byHone} at a tier that is on`}</dd>
          <dt>Waiting</dt>
          <dd>
            {waiting === 0 ? (
              'nothing'
            ) : (
              <>
                <Link to="/queue">{counted(waiting, 'proposal')}</Link>, the longest{' '}
                <When at={longestSince} />
              </>
            )}
          </dd>
        </dl>
      )}
    </section>
  );
}

export function Confidence({ confidence }: Pick<TrackRecord, 'confidence'>) {
  const seen = confidence.filter(({ count }) => count > 0);
  return (
    <section className="card" aria-label="How sure, how right">
      <h2>How sure, how right</h2>
      {seen.length === 0 ? (
        <Empty title="No outcome yet.">
          A change that was watched to its end shows whether its cause was right.
        </Empty>
      ) : (
        <>
          <ul className="rows">
            {seen.map(({ from, count, said, right }) => (
              <li key={from} className="row">
                <span className="what">{percent(said!)} sure</span>
                <svg
                  className="sure"
                  viewBox="0 0 100 8"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect className="ground" width="100" height="8" />
                  <rect className="right" width={(right / count) * 100} height="8" />
                  <line x1={said! * 100} x2={said! * 100} y1="0" y2="8" />
                </svg>
                <span className="when">
                  right {right} of {count}
                </span>
              </li>
            ))}
          </ul>
          <p className="soft">Bar: how many were right. Line: how sure Hone was.</p>
        </>
      )}
    </section>
  );
}
