/** A trace as a graph: which agent called which tool, how often, and where it failed. */
import { useMemo } from 'react';
import type { TraceShown } from '../../../src/contracts/event.ts';

const ROW = 34;
const MOST = 14;

interface Edge {
  readonly tool: string;
  readonly agent: string;
  calls: number;
  failed: number;
}

export function CallGraph({ spans }: { readonly spans: TraceShown['spans'] }) {
  const edges = useMemo(() => edgesOf(spans), [spans]);
  if (edges.length === 0) return <p className="soft">Its steps name no tools.</p>;
  const shown = edges.slice(0, MOST);
  const agents = [...new Set(shown.map(({ agent }) => agent))];
  const tools = [...new Set(shown.map(({ tool }) => tool))];
  const height = Math.max(agents.length, tools.length) * ROW + 8;
  const y = (list: readonly string[], name: string) =>
    (list.indexOf(name) + 0.5) * (height / list.length);
  const most = Math.max(...shown.map(({ calls }) => calls));
  return (
    <div className="scroll">
      <svg
        className="graph"
        viewBox={`0 0 640 ${height}`}
        role="img"
        aria-label="Agents and the tools that they called"
      >
        {shown.map(({ agent, tool, calls, failed }) => {
          const [from, to] = [y(agents, agent), y(tools, tool)];
          return (
            <g key={`${agent} ${tool}`}>
              <path
                d={`M170 ${from} C 280 ${from}, 320 ${to}, 430 ${to}`}
                fill="none"
                stroke={failed > 0 ? 'var(--bad)' : 'var(--accent)'}
                strokeOpacity="0.55"
                strokeWidth={1 + (5 * calls) / most}
              >
                <title>{`${agent} called ${tool} ${calls} times, ${failed} failed`}</title>
              </path>
            </g>
          );
        })}
        {agents.map((name) => (
          <text key={name} x="162" y={y(agents, name) + 4} textAnchor="end">
            {name.slice(0, 24)}
          </text>
        ))}
        {tools.map((name) => {
          const of = shown.filter(({ tool }) => tool === name);
          const [calls, failed] = [
            of.reduce((sum, one) => sum + one.calls, 0),
            of.reduce((sum, one) => sum + one.failed, 0),
          ];
          return (
            <text
              key={name}
              x="438"
              y={y(tools, name) + 4}
            >{`${name.slice(0, 24)} · ${calls}${failed === 0 ? '' : `, ${failed} failed`}`}</text>
          );
        })}
      </svg>
      {edges.length > MOST ? (
        <p className="soft">
          The {MOST} most frequent of {edges.length}.
        </p>
      ) : null}
    </div>
  );
}

/** The most calls first. `web_search of researcher` is how a step names its place. */
function edgesOf(spans: TraceShown['spans']): Edge[] {
  const edges = new Map<string, Edge>();
  for (const { kind, what, failed } of spans) {
    const [, tool, agent] = kind === 'tool_call' ? (/^(.+) of (.+)$/.exec(what) ?? []) : [];
    if (tool === undefined || agent === undefined) continue;
    const edge = edges.get(what) ?? { tool, agent, calls: 0, failed: 0 };
    edge.calls += 1;
    edge.failed += failed ? 1 : 0;
    edges.set(what, edge);
  }
  return [...edges.values()].sort((a, b) => b.calls - a.calls);
}
