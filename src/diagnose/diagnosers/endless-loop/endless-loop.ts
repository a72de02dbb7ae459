/**
 * Blames work that is repeated without end: tasks fail although their calls succeed, and in the sessions behind them one tool
 * is called over and over until a limit on steps ends it. More steps would only cost more, so that a person is told which tool
 * it is; where the very same call is repeated and the agent's instructions are a text of the target, a rule against it
 * is proposed.
 */
import type { Subject } from '../../../facts/index.ts';
import { quotedName } from '../../../text/index.ts';
import { instructionsOf } from '../../instructions.ts';
import { type Repeated, repeatedIn } from '../../repeated-calls.ts';
import type { Diagnoser, Evidence, Failure, Reason } from '../../types.ts';
import { percent } from '../../wording.ts';

const SESSIONS_MIN = 3;
/** Of the sessions that were looked at. */
const MOST = 0.6;
/** The row is most of what the session does. */
const ROW_SHARE = 0.5;
const SURE = 0.85;

export const endlessLoop: Diagnoser = {
  name: 'endless-loop',
  explain(failure, evidence) {
    if (failure.event !== 'task_failure') return [];
    const sessions = failure.examples.flatMap(({ id, session }) => {
      const events = evidence.sessions?.get(session);
      return events === undefined ? [] : [{ id, repeated: repeatedIn(events) }];
    });
    if (sessions.length < SESSIONS_MIN) return [];
    const loops = sessions.flatMap(({ id, repeated }) =>
      repeated !== undefined && repeated.times >= ROW_SHARE * repeated.calls
        ? [{ id, ...repeated }]
        : [],
    );
    const tool = mostCommon(loops.map((one) => one.tool));
    const own = loops.filter((one) => one.tool === tool);
    if (tool === undefined || own.length < MOST * sessions.length) return [];
    return [
      {
        subject: subjectOf(tool, own, failure, evidence),
        layer: 'behavior',
        confidence: (SURE * own.length) / sessions.length,
        reasons: reasonsOf(tool, own, { failure, looked: sessions.length }),
        against: [],
      },
    ];
  },
};

interface Loop extends Repeated {
  readonly id: string;
}

function reasonsOf(
  tool: string,
  loops: readonly Loop[],
  { failure, looked }: { readonly failure: Failure; readonly looked: number },
): Reason[] {
  const times = loops.map((one) => one.times).sort((a, b) => a - b)[Math.floor(loops.length / 2)]!;
  const same = loops.every(({ isSameCall }) => isSameCall === true)
    ? ', with the same arguments'
    : '';
  return [
    {
      text: `${quotedName(failure.agent)} runs in circles: in ${loops.length} of ${looked} failed sessions (${percent(loops.length / looked)}) it calls ${quotedName(tool)} about ${times} times in a row${same}, and the calls succeed.`,
      events: loops.map(({ id }) => id),
    },
    {
      text: `A limit on steps only ends the loop: somebody has to tell the agent when ${quotedName(tool)} has nothing new to say, or to mend what it answers.`,
      events: [],
    },
  ];
}

/** The agent's own text, where it is known that the very same call is repeated; else the tool itself. */
function subjectOf(
  tool: string,
  loops: readonly Loop[],
  failure: Failure,
  evidence: Evidence,
): Subject {
  const isSame = loops.every(({ isSameCall }) => isSameCall === true);
  const text = isSame ? instructionsOf(failure.agent, evidence) : undefined;
  if (text === undefined || !isNamed(tool, evidence)) return { kind: 'service', name: tool };
  const reach = { kind: 'one' as const, names: [failure.agent], within: failure.agent };
  return {
    kind: 'rule',
    file: text,
    line: 1,
    section: [text],
    commit: evidence.commit,
    reach,
    adds: { rule: 'no_repeated_call', names: [tool] },
  };
}

/** Only names that stand in the target's files may come into a rule. */
function isNamed(tool: string, { settings }: Evidence): boolean {
  return settings.some(
    ({ steps, value }) =>
      value === tool || steps.some(({ key, name }) => key === tool || name === tool),
  );
}

function mostCommon(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))[0]?.[0];
}
