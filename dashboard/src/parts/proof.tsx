/** What validation measured, drawn: what failed before and after, what flipped, what it costs, what nobody looked at. */
import { Fragment, useId } from 'react';
import type { ModeFigures } from '../../../src/contracts/proposal.ts';
import { counted, number, percent } from '../format.ts';
import { Link } from '../router.tsx';
import { Prose } from './prose.tsx';
import { Tag } from './states.tsx';

type Pairs = NonNullable<ModeFigures['pairs']>;
type Rail = ModeFigures['rails'][number];

export function Proof({
  figures,
  lines,
}: {
  readonly figures: readonly ModeFigures[];
  readonly lines: readonly string[];
}) {
  return (
    <section className="card" aria-label="Proof">
      <h2>Proof</h2>
      {figures.map((one) => (
        <Measured key={one.mode} of={one} />
      ))}
      {figures.length === 0 ? (
        <Words lines={lines} />
      ) : (
        <details>
          <summary>All of it in words</summary>
          <Words lines={lines} />
        </details>
      )}
    </section>
  );
}

/** What is compared in a mode; any other by its own name. */
const THINGS: Readonly<Record<string, string>> = { replay: 'session', eval: 'case', unit: 'test' };
const TITLES: Readonly<Record<string, string>> = {
  replay: 'Recorded sessions, played again',
  eval: 'Its own evaluation',
  unit: 'Its own tests',
};

function Measured({ of: { mode, verdict, pairs, rails, runs, assumes } }: { of: ModeFigures }) {
  const thing = THINGS[mode] ?? 'case';
  const unmeasured = ['latency', 'cost'].filter(
    (metric) => pairs !== null && !rails.some((one) => one.metric === metric),
  );
  return (
    <div className="measured">
      <h3>
        {TITLES[mode] ?? mode} <Tag word={verdict} />
      </h3>
      {pairs === null ? null : <Compared pairs={pairs} thing={thing} />}
      {pairs !== null || runs.candidate.length === 0 ? null : <Runs runs={runs} thing={thing} />}
      {rails.map((rail) => (
        <Beside key={rail.metric} rail={rail} />
      ))}
      <h3>Not measured</h3>
      <ul className="proof">
        {unmeasured.length === 0 ? null : (
          <li>Too few of the runs report {unmeasured.join(' and ')}.</li>
        )}
        {assumes.map((sentence) => (
          <li key={sentence}>
            <Prose text={sentence} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Compared({ pairs, thing }: { readonly pairs: Pairs; readonly thing: string }) {
  const { usable, failedBefore, failedAfter, better, worse, flaky, unknown, asked } = pairs;
  const { change, low, high, broken, reproduced } = pairs;
  const left = [
    ...(flaky === 0 ? [] : [`${number(flaky)} differ between two runs of the base`]),
    ...(unknown === 0 ? [] : [`${number(unknown)} have no known end`]),
  ];
  return (
    <>
      <Share label="fail now" bad={failedBefore} all={usable} thing={thing} />
      <Share label="fail with it" bad={failedAfter} all={usable} thing={thing} />
      <dl className="compared">
        <dt>Effect</dt>
        <dd>
          <b className={low > 0 ? 'bad' : high < 0 ? 'good' : ''}>{points(change)}</b> of{' '}
          {counted(usable, thing)}, 95 % sure: {points(low)} to {points(high)}
        </dd>
        <dt>Flips</dt>
        <dd>
          <Flips pairs={pairs} thing={thing} />
          <b className="good">{number(better)}</b> mended,{' '}
          <b className={worse > 0 ? 'bad' : ''}>{number(worse)}</b> broken,{' '}
          {number(failedBefore - better)} still fail
          {broken.length === 0 ? null : (
            <>
              {': '}
              {broken.slice(0, 5).map((id) => (
                <Link key={id} to={`/traces/${encodeURIComponent(id)}`} className="clip mono">
                  {id}
                </Link>
              ))}
            </>
          )}
        </dd>
        <dt>Left out</dt>
        <dd>
          {left.length === 0
            ? `none of ${number(asked)}`
            : `of ${number(asked)}: ${left.join(', ')}`}
        </dd>
        {reproduced === null ? null : (
          <>
            <dt>True to life</dt>
            <dd>
              of {number(reproduced.failedLive)} that failed when they were recorded{' '}
              {number(reproduced.failedAgain)} fail when they are played
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** Percentage points, with their sign. */
function points(share: number): string {
  const value = Math.round(share * 1000) / 10;
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${number(Math.abs(value))} points`;
}

function Share({
  label,
  bad,
  all,
  thing,
}: {
  readonly label: string;
  readonly bad: number;
  readonly all: number;
  readonly thing: string;
}) {
  const share = all === 0 ? 0 : bad / all;
  return (
    <div className="share">
      <span className="track" aria-hidden="true">
        <span className="filled" style={{ width: `${share * 100}%` }} />
      </span>
      <span>
        {percent(share)} {label}{' '}
        <span className="soft">
          ({number(bad)} of {counted(all, thing)})
        </span>
      </span>
    </div>
  );
}

/** One strip: mended, broken, still failing, still working. */
function Flips({ pairs, thing }: { readonly pairs: Pairs; readonly thing: string }) {
  const id = useId();
  const { usable, failedBefore, better, worse } = pairs;
  if (usable === 0) return null;
  const parts = [
    { kind: 'mended', count: better },
    { kind: 'broken', count: worse },
    { kind: 'fails', count: failedBefore - better },
    { kind: 'works', count: usable - failedBefore - worse },
  ];
  let from = 0;
  return (
    <svg
      className="flips"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={id}
    >
      <title id={id}>
        {`Of ${counted(usable, thing)}: ${parts.map(({ kind, count }) => `${count} ${kind === 'mended' || kind === 'broken' ? kind : `still ${kind === 'fails' ? 'fail' : 'work'}`}`).join(', ')}`}
      </title>
      {parts.map(({ kind, count }) => {
        const [x, width] = [(from / usable) * 100, (count / usable) * 100];
        from += count;
        return <rect key={kind} className={kind} x={x} y="0" width={width} height="6" />;
      })}
    </svg>
  );
}

/** The change of a cost with its interval, beside nothing and what is borne. */
function Beside({ rail }: { readonly rail: Rail }) {
  const id = useId();
  const { metric, change, low, high, borne, isHarmed, pairs } = rail;
  const reach = Math.max(0.1, Math.abs(low), Math.abs(high), borne ?? 0) * 1.15;
  const x = (share: number) => 50 + (share / reach) * 50;
  const said = `${metric} ${signed(change)}, 95 % sure: ${signed(low)} to ${signed(high)}`;
  return (
    <div className="beside">
      <svg
        className="interval"
        viewBox="0 0 100 12"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={id}
      >
        <title id={id}>{said}</title>
        <line className="zero" x1="50" x2="50" y1="0" y2="12" />
        {borne === null ? null : (
          <line className="borne" x1={x(borne)} x2={x(borne)} y1="0" y2="12" />
        )}
        <rect
          className={isHarmed ? 'width harmed' : 'width'}
          x={x(low)}
          width={Math.max(0.5, x(high) - x(low))}
          y="4"
          height="4"
        />
        <line className="estimate" x1={x(change)} x2={x(change)} y1="2" y2="10" />
      </svg>
      <span>
        {said} <span className="soft">({counted(pairs, 'pair')})</span>
        {borne === null ? null : (
          <span className={isHarmed ? 'bad' : 'soft'}>
            {' '}
            {isHarmed ? 'More than' : 'At most'} {signed(borne)} is borne.
          </span>
        )}
      </span>
    </div>
  );
}

const signed = (share: number) =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${percent(Math.abs(share))}`;

function Runs({ runs, thing }: { readonly runs: ModeFigures['runs']; readonly thing: string }) {
  const rows = [
    ...runs.base.map((run, at) => ({ ...run, side: at === 0 ? 'base' : `base, run ${at + 1}` })),
    ...runs.candidate.map((run, at) => ({
      ...run,
      side: at === 0 ? 'with the change' : `with the change, run ${at + 1}`,
    })),
  ];
  return (
    <dl className="compared">
      {rows.map(({ side, passed, failed }) => (
        <Fragment key={side}>
          <dt>{side}</dt>
          <dd>
            {counted(passed, thing)} passed,{' '}
            <b className={failed > 0 ? 'bad' : ''}>{number(failed)}</b> failed
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Words({ lines }: { readonly lines: readonly string[] }) {
  return proofParts(lines).map(({ head, points: said }, at) => (
    <div key={at}>
      <p>
        <Prose text={head} />
      </p>
      {said.length === 0 ? null : (
        <ul className="proof">
          {said.map((point) => (
            <li key={point}>
              <Prose text={point} />
            </li>
          ))}
        </ul>
      )}
    </div>
  ));
}

/** Lines that begin with a dash belong to the one before them. */
function proofParts(lines: readonly string[]) {
  const parts: { readonly head: string; readonly points: string[] }[] = [];
  for (const line of lines) {
    const point = /^\s*- (.*)$/s.exec(line)?.[1];
    if (point === undefined || parts.length === 0) parts.push({ head: line.trim(), points: [] });
    else parts.at(-1)!.points.push(point);
  }
  return parts;
}
