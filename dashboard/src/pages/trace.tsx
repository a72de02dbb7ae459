/** One trace as a waterfall. Only the rows that are in sight are drawn, so 5 000 spans stay smooth. */
import { useMemo, useRef, useState } from 'react';
import type { EventShown, TraceShown } from '../../../src/contracts/event.ts';
import { counted, fullTime, number, span as spanWords } from '../format.ts';
import { useKeys } from '../keys.ts';
import { CallGraph } from '../parts/call-graph.tsx';
import { Asked, Head, When } from '../parts/states.tsx';
import { Link } from '../router.tsx';
import { axisTime } from '../scale.ts';
import { useApi } from '../use-api.ts';

const ROW = 26;
const AROUND = 12;
const STEP = (AROUND / 2) * ROW;

export default function Trace({ id }: { readonly id: string }) {
  const trace = useApi<TraceShown>(`/api/telemetry/traces/${encodeURIComponent(id)}`);
  return (
    <Asked of={trace} page="Trace">
      {(shown) => <Shown shown={shown} />}
    </Asked>
  );
}

function Shown({ shown }: { readonly shown: TraceShown }) {
  const { spans } = shown;
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [chosen, choose] = useState<number>();
  const first = spans.findIndex(({ firstError }) => firstError);
  const show = (at: number) => {
    choose(at);
    box.current?.scrollTo({ top: Math.max(0, at * ROW - 200) });
  };
  const move = (by: number) => show(Math.min(spans.length - 1, Math.max(0, (chosen ?? -1) + by)));
  useKeys({ j: () => move(1), k: () => move(-1), e: () => first >= 0 && show(first) });
  const [startMs, totalMs] = useMemo(() => {
    const starts = spans.map(({ at }) => Date.parse(at));
    const start = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const end = spans.reduce(
      (last, { durationMs }, at) => Math.max(last, starts[at]! + (durationMs ?? 0)),
      start + 1,
    );
    return [start, end - start];
  }, [spans]);
  const graph = useMemo(() => <CallGraph spans={spans} />, [spans]);
  const from = Math.max(0, Math.floor(top / ROW) - AROUND);
  const seen = spans.slice(from, from + Math.ceil(720 / ROW) + 2 * AROUND);
  return (
    <>
      <Head
        title={<span className="mono">{shown.id}</span>}
        sub={
          <>
            {counted(spans.length, 'step')}
            {shown.more ? ' (the first 5 000)' : ''}, {number(shown.failed)} failed ·{' '}
            {spanWords(totalMs)} · <When at={shown.firstAt} /> · <Link to="/traces">Traces</Link>
          </>
        }
      >
        {first < 0 ? null : (
          <button type="button" onClick={() => show(first)}>
            Where it went wrong first <kbd>e</kbd>
          </button>
        )}
      </Head>
      <div className="axis" aria-hidden="true">
        <span />
        <div>
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <span key={part}>{axisTime(part * totalMs, totalMs)}</span>
          ))}
        </div>
      </div>
      <section
        ref={box}
        className="water"
        tabIndex={0}
        aria-label="Steps"
        onScroll={(event) => {
          // Rows around those in sight are drawn already: not every pixel needs others.
          const now = Math.floor(event.currentTarget.scrollTop / STEP) * STEP;
          if (now !== top) setTop(now);
        }}
      >
        <svg width="1" height={spans.length * ROW} aria-hidden="true">
          <title>space for all steps</title>
        </svg>
        {seen.map((one, offset) => {
          const at = from + offset;
          const x = ((Date.parse(one.at) - startMs) / totalMs) * 100;
          const width = Math.max(0.4, ((one.durationMs ?? 0) / totalMs) * 100);
          return (
            <button
              key={one.id}
              type="button"
              className={`span ${one.failed ? 'failed' : ''} ${one.firstError ? 'first' : ''}`}
              ref={(row) => {
                if (row !== null) row.style.top = `${at * ROW}px`;
              }}
              aria-pressed={chosen === at}
              onClick={() => choose(at)}
            >
              <span
                className="clip"
                ref={(name) => {
                  if (name !== null) name.style.paddingLeft = `${Math.min(one.depth, 12) * 14}px`;
                }}
              >
                {one.firstError ? '⚑ ' : ''}
                {one.what.slice(0, 300)} <span className="soft">{one.said.slice(0, 200)}</span>
              </span>
              <svg
                className="bar"
                viewBox="0 0 100 10"
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <title>{one.what.slice(0, 100)}</title>
                <rect x={Math.min(x, 99.6)} width={width} height="10" rx="1" />
              </svg>
              <span className="when">
                {one.durationMs === null ? '' : spanWords(one.durationMs)}
              </span>
            </button>
          );
        })}
      </section>
      <br />
      {chosen === undefined ? null : <Step id={spans[chosen]!.id} />}
      <section className="card" aria-label="Who called what">
        <h2>Who called what</h2>
        {graph}
      </section>
    </>
  );
}

function Step({ id }: { readonly id: string }) {
  const event = useApi<EventShown>(`/api/telemetry/events/${encodeURIComponent(id)}`);
  return (
    <section className="card" aria-label="Step">
      <Asked of={event}>
        {(shown) => (
          <>
            <h2>{shown.what}</h2>
            <p className={shown.failed ? 'bad' : ''}>{shown.said}</p>
            <p className="soft">
              {fullTime(shown.at)} · {shown.source}
            </p>
            <pre className="pre">{JSON.stringify(shown.event, null, 2)}</pre>
          </>
        )}
      </Asked>
    </section>
  );
}
