/**
 * What is wrong with single steps of an agent's run: read from what it said, what it really called, and what failed.
 * Pure, without a model. A step may have several faults; where little is known of a step, little is found.
 */
import { kindWithoutExamples } from './failure-kind.ts';

export interface RunStep {
  readonly id: string;
  /** What the agent said or wrote in it. */
  readonly said: string;
  /** What was really called in it, and with what: the same for the same work. */
  readonly calls: readonly { readonly tool: string; readonly work: string }[];
  /** What it failed with. */
  readonly error?: string | undefined;
}

export interface AgentRun {
  /** The names of the tools and helpers that the agent has. */
  readonly tools: readonly string[];
  readonly steps: readonly RunStep[];
}

export type FaultKind =
  | 'unmade_call'
  | 'unfounded_claim'
  | 'unfounded_answer'
  | 'repeated_call'
  | 'malformed'
  | 'timeout'
  | 'rate_limit'
  | 'size_limit';

export interface StepFault {
  readonly id: string;
  readonly kind: FaultKind;
}

/** Once more may be a retry; the third time nothing was learnt. */
const REPEATS_MIN = 3;
const MALFORMED =
  /syntax ?error|unexpected (?:token|indent|end)|unterminated|parse error|could not parse/i;

export function stepFaults(run: AgentRun): StepFault[] {
  return [...uncalled(run), ...repeated(run), ...failed(run)];
}

/**
 * Until something was called: a step that speaks of a tool did not do what it says, the first that speaks of answering
 * claims what nothing told it, and one that answers departs from its task. What is called once and last is how the agent answers.
 */
function* uncalled({ tools, steps }: AgentRun): Generator<StepFault> {
  const answering = answeringTool(steps);
  const others = tools.filter((tool) => tool !== answering);
  if (others.length === 0) return;
  let claimed = false;
  for (const { id, said, calls } of steps) {
    if (calls.some(({ tool }) => tool !== answering)) return;
    const answers = calls.length > 0;
    if (!claimed && answering !== undefined && (answers || speaksOf(said, answering))) {
      claimed = true;
      yield { id, kind: 'unfounded_claim' };
    } else if (!answers && others.some((tool) => speaksOf(said, tool)))
      yield { id, kind: 'unmade_call' };
    if (answers) yield { id, kind: 'unfounded_answer' };
  }
}

/** A run that was cut short, or whose last call failed, has none. */
function answeringTool(steps: readonly RunStep[]): string | undefined {
  const last = steps.at(-1);
  const tool = last?.error === undefined ? last?.calls.at(-1)?.tool : undefined;
  const uses = steps.flatMap(({ calls }) => calls).filter((call) => call.tool === tool);
  return uses.length === 1 ? tool : undefined;
}

function speaksOf(said: string, name: string): boolean {
  for (let at = said.indexOf(name); at >= 0; at = said.indexOf(name, at + 1))
    if (!/\w/.test(said[at - 1] ?? '') && !/\w/.test(said[at + name.length] ?? '')) return true;
  return false;
}

function* repeated({ steps }: AgentRun): Generator<StepFault> {
  const seen = new Map<string, number>();
  for (const { id, calls } of steps)
    for (const { tool, work } of calls) {
      const key = JSON.stringify([tool, work]);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      if (times === REPEATS_MIN) yield { id, kind: 'repeated_call' };
    }
}

function* failed({ steps }: AgentRun): Generator<StepFault> {
  for (const { id, error } of steps) {
    if (error === undefined) continue;
    const limit = kindWithoutExamples({ errorCode: '', template: error });
    if (limit === 'timeout' || limit === 'rate_limit' || limit === 'size_limit')
      yield { id, kind: limit };
    else if (MALFORMED.test(error)) yield { id, kind: 'malformed' };
  }
}
