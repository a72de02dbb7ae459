/** OpenTelemetry-style span trees of agents (OpenInference), as runs: each step's model call is where it is located. Pure. */
import type { AgentRun, RunStep } from '../../src/diagnose/index.ts';

export interface Span {
  readonly span_id: string;
  readonly span_name: string;
  readonly status_code?: string;
  readonly status_message?: string;
  readonly span_attributes: Readonly<Record<string, unknown>>;
  readonly child_spans?: readonly Span[];
}

export function agentRuns(spans: readonly Span[]): AgentRun[] {
  return spans.flatMap((span) => [
    ...(kindOf(span) === 'AGENT' ? [runOf(span)] : []),
    ...agentRuns(span.child_spans ?? []),
  ]);
}

function runOf(agent: Span): AgentRun {
  return {
    tools: toolsOf(agent.span_attributes),
    steps: (agent.child_spans ?? []).flatMap((step) => stepOf(step) ?? []),
  };
}

/** A step is what groups a model call with the calls it led to. */
function stepOf(step: Span): RunStep | undefined {
  const below = step.child_spans ?? [];
  const model = below.find((span) => kindOf(span) === 'LLM');
  if (model === undefined) return undefined;
  return {
    id: model.span_id,
    said: text(model, 'llm.output_messages.0.message.content'),
    calls: below
      .filter((span) => kindOf(span) === 'TOOL' || kindOf(span) === 'AGENT')
      .map((span) => ({
        tool: text(span, 'tool.name') || span.span_name,
        work: text(span, 'input.value'),
      })),
    error: step.status_code === 'Error' ? (step.status_message ?? '') : undefined,
  };
}

function toolsOf(attributes: Span['span_attributes']): string[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (key.endsWith('tools_names')) return JSON.parse(String(value)) as string[];
    return /managed_agents\.\d+\.name$/.test(key) ? [String(value)] : [];
  });
}

function kindOf(span: Span): string {
  return text(span, 'openinference.span.kind');
}

function text({ span_attributes }: Span, key: string): string {
  return String(span_attributes[key] ?? '');
}
