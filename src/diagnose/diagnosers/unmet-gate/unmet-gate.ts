/**
 * Blames what an agent is told for a gate that it runs into again and again: tasks ask to leave a phase without the evidence
 * that the phase wants. The refusals are Hone's own telemetry, and which phase wants what is known from the processes; so no
 * word of anybody else's comes into the rule that is proposed for the agent's instructions.
 */
import { quotedName } from '../../../text/index.ts';
import { instructionsOf } from '../../instructions.ts';
import type { Diagnoser, Evidence, Failure, GateNeed } from '../../types.ts';
import { percent } from '../../wording.ts';

/** One task that does it over and over is that task's trouble, not a habit. */
const SESSIONS_MIN = 3;
const SURE = 0.85;

/** What an agent that is told better does better. A red result, say, is none of these. */
const HABITS: Readonly<Record<string, string>> = {
  missing_evidence: 'without',
  claimed_evidence: 'with nothing but its own word for',
  stale_evidence: 'with an outdated',
  other_commit: 'with another commit’s',
};

export const unmetGate: Diagnoser = {
  name: 'unmet-gate',
  explain(failure, evidence) {
    const { event, sources, errorCode, sessions, failures, calls } = failure;
    const { gates } = evidence;
    if (gates === undefined || event !== 'task_failure') return [];
    // Whoever writes telemetry could invent a gate; nobody else writes to this source.
    if (sources.length !== 1 || sources[0] !== gates.source) return [];
    const [phase, code = '', about] = errorCode.split('/');
    const habit = HABITS[code];
    const need = gates.needs.find((one) => one.phase === phase && nameOf(one) === about);
    if (habit === undefined || need === undefined || sessions < SESSIONS_MIN) return [];
    const file = textFor(failure, evidence);
    if (file === undefined) return [];
    return [
      {
        subject: {
          ...{ kind: 'rule', file, line: 1, section: [file], commit: evidence.commit },
          reach: { kind: 'one', names: [failure.agent], within: failure.agent },
          adds: need.own
            ? { rule: 'own_evidence', names: [need.phase] }
            : { rule: 'hand_in', names: [need.phase, nameOf(need)] },
        },
        layer: 'workflow',
        // The more tasks did it, the less it is chance.
        confidence: (SURE * sessions) / (sessions + 1),
        reasons: [
          {
            text: `${quotedName(failure.agent)} asks to leave ${need.phase} ${habit} ${nameOf(need)}: ${failures} times in ${sessions} tasks (${percent(failures / calls)}). The gate refuses each time, and the work is done twice.`,
            events: failure.examples.map(({ id }) => id),
          },
          {
            text: `Nothing in ${quotedName(file)} is known to say what ${need.phase} wants; the process does.`,
            events: [],
          },
        ],
        against: [],
      },
    ];
  },
};

const nameOf = ({ name, evidence }: GateNeed) => name ?? evidence;

/** The agent's own text, or the first of those that every coding agent here is given. */
function textFor({ agent }: Failure, evidence: Evidence): string | undefined {
  const { texts = [], gates } = evidence;
  return instructionsOf(agent, evidence) ?? gates!.texts.find((file) => texts.includes(file));
}
