/**
 * Charts that are read without a legend: the share of calls that failed as a line, how many calls there were as a
 * shade below it, and what happened as marks with their names under the chart.
 */
import { useEffect, useId, useRef, useState } from 'react';
import type { Overview } from '../../../src/contracts/overview.ts';
import { dayAndTime, number } from '../format.ts';
import { Link } from '../router.tsx';
import { axisShare, ceiling, ticks } from '../scale.ts';

const HOUR_MS = 3_600_000;
const PAD = { left: 44, right: 8, top: 8, bottom: 22 };

type Hour = Overview['hours'][number];
export type Mark = Overview['marks'][number];

function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(720);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, entry!.contentRect.width)),
    );
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

export function FailureChart({
  hours,
  from,
  to,
  marks = [],
  height = 200,
  label,
}: {
  readonly hours: readonly Hour[];
  readonly from: string;
  readonly to: string;
  readonly marks?: readonly Mark[];
  readonly height?: number;
  readonly label: string;
}) {
  const [box, width] = useWidth();
  const id = useId();
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const x = (ms: number) =>
    PAD.left + ((ms - fromMs) / Math.max(1, toMs - fromMs)) * (width - PAD.left - PAD.right);
  const inner = height - PAD.top - PAD.bottom;
  const shares = hours.map(({ calls, failed }) => (calls === 0 ? 0 : failed / calls));
  const top = ceiling(Math.max(0, ...shares));
  const y = (share: number) => PAD.top + (1 - share / top) * inner;
  const callsTop = Math.max(1, ...hours.map(({ calls }) => calls));
  const at = (hour: Hour) => x(Math.min(toMs, Math.max(fromMs, Date.parse(hour.at) + HOUR_MS / 2)));
  const points = hours.map(
    (hour, index) => `${at(hour).toFixed(1)},${y(shares[index]!).toFixed(1)}`,
  );
  const bar = Math.max(1, ((width - PAD.left) / Math.max(1, (toMs - fromMs) / HOUR_MS)) * 0.8);
  const shown = marks.filter(
    (mark) => Date.parse(mark.at) >= fromMs && Date.parse(mark.at) <= toMs,
  );
  return (
    <div ref={box}>
      <svg className="chart" width={width} height={height} role="img" aria-labelledby={id}>
        <title id={id}>{label}</title>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line
              className="gridline"
              x1={PAD.left}
              x2={width - PAD.right}
              y1={y(part * top)}
              y2={y(part * top)}
            />
            <text x={PAD.left - 6} y={y(part * top) + 4} textAnchor="end">
              {axisShare(part * top)}
            </text>
          </g>
        ))}
        {ticks(fromMs, toMs, width - PAD.left).map(({ ms, label: name }) => (
          <text key={ms} x={x(ms)} y={height - 4} textAnchor="middle">
            {name}
          </text>
        ))}
        {hours.map((hour) => {
          const tall = (hour.calls / callsTop) * inner * 0.3;
          return (
            <rect
              key={hour.at}
              className="calls"
              x={at(hour) - bar / 2}
              width={bar}
              y={PAD.top + inner - tall}
              height={tall}
            >
              <title>{`${dayAndTime(hour.at)}: ${hour.failed} of ${hour.calls} calls failed`}</title>
            </rect>
          );
        })}
        {points.length > 1 ? (
          <polygon
            className="area"
            points={`${points[0]!.split(',')[0]},${y(0)} ${points.join(' ')} ${points.at(-1)!.split(',')[0]},${y(0)}`}
          />
        ) : null}
        <polyline className="failed" points={points.join(' ')} />
        {shown.map((mark) => (
          <g key={mark.kind + mark.id + mark.at}>
            <line
              className={`mark ${mark.kind}`}
              x1={x(Date.parse(mark.at))}
              x2={x(Date.parse(mark.at))}
              y1={PAD.top}
              y2={PAD.top + inner}
            />
            <circle className={mark.kind} cx={x(Date.parse(mark.at))} cy={PAD.top} r="4">
              <title>{`${mark.kind.replace('_', ' ')} ${dayAndTime(mark.at)}: ${mark.title}`}</title>
            </circle>
          </g>
        ))}
      </svg>
      {hours.length === 0 ? null : (
        <p className="caption">
          Bars: how many calls there were, at most {number(callsTop)} in an hour.
        </p>
      )}
      {shown.length === 0 ? null : <Marks marks={shown} />}
    </div>
  );
}

/** The newest few, in words. */
function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <div className="marks">
      {marks.slice(-6).map((mark) => (
        <span key={mark.kind + mark.id + mark.at} className="clip">
          <span className={`dot ${mark.kind}`} />
          {mark.kind.replace('_', ' ')} {dayAndTime(mark.at)}:{' '}
          <Link to={mark.kind === 'found' ? `/patterns/${mark.id}` : `/changes/${mark.id}`}>
            {mark.title.slice(0, 80)}
          </Link>
        </span>
      ))}
    </div>
  );
}

/** How near a watch is to an alarm: 1 is the boundary of the test. */
export function WatchChart({
  course,
  label,
}: {
  readonly course: readonly { readonly at: string; readonly share: number }[];
  readonly label: string;
}) {
  const [box, width] = useWidth();
  const id = useId();
  const height = 120;
  const inner = height - PAD.top - PAD.bottom;
  const times = course.map(({ at }) => Date.parse(at));
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times, Math.min(...times) + HOUR_MS)];
  // What is far beyond an alarm is drawn at the top: how far says nothing more.
  const top = 1.3;
  const x = (ms: number) =>
    PAD.left + ((ms - fromMs) / (toMs - fromMs)) * (width - PAD.left - PAD.right);
  const y = (share: number) => PAD.top + (1 - Math.min(share, top) / top) * inner;
  return (
    <div ref={box}>
      <svg className="chart" width={width} height={height} role="img" aria-labelledby={id}>
        <title id={id}>{label}</title>
        <line className="gridline" x1={PAD.left} x2={width - PAD.right} y1={y(0)} y2={y(0)} />
        <line className="bound" x1={PAD.left} x2={width - PAD.right} y1={y(1)} y2={y(1)} />
        <text x={PAD.left - 6} y={y(0) + 4} textAnchor="end">
          0
        </text>
        <text x={PAD.left - 6} y={y(1) + 4} textAnchor="end">
          alarm
        </text>
        {ticks(fromMs, toMs, width - PAD.left).map(({ ms, label: name }) => (
          <text key={ms} x={x(ms)} y={height - 4} textAnchor="middle">
            {name}
          </text>
        ))}
        <polyline
          className="line"
          points={course
            .map(({ at, share }) => `${x(Date.parse(at)).toFixed(1)},${y(share).toFixed(1)}`)
            .join(' ')}
        />
      </svg>
    </div>
  );
}
