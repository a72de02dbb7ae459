/** Written conversations between agents, as steps: who acts, who only speaks, who hands over, what is a result. Pure. */
import type { SessionStep } from '../../src/diagnose/first-wrong-step.ts';

export interface Turn {
  readonly agent: string;
  readonly content: string;
}

const STATUS_LINE = /^(exit ?code|status)\b\W*(\d+)/i;
const CODE = /```/;

/** `Lead (-> Worker)` hands over to Worker; other words in brackets say in which part the agent speaks. */
const NAME = /^(.*?)\s*(?:\((?:->\s*(.+?)|[^()]*)\))?$/;

export function conversationSteps(turns: readonly Turn[]): SessionStep[] {
  const named = turns.map(({ agent, content }) => {
    const [, who = agent, to] = NAME.exec(agent) ?? [];
    return { who, to, said: content };
  });
  const leads = new Set(named.flatMap(({ who, to }) => (to === undefined ? [] : [who])));
  const machines = leads.size > 0 ? new Set<string>() : machinesAmong(named);
  return named.map(({ who, said }, at) => {
    if (machines.has(who) || STATUS_LINE.test(said)) return { who, said, isResult: true };
    if (leads.size > 0) {
      const acts = at > 0 && !leads.has(who);
      return { who, said, act: acts ? openingOf(said) : undefined };
    }
    const next = named[at + 1];
    const status = next === undefined ? null : STATUS_LINE.exec(next.said);
    return {
      who,
      said,
      act: CODE.test(said) || status !== null ? openingOf(said) : undefined,
      failed: status !== null && Number(status[2]) !== 0,
    };
  });
}

/** The first sentence or line: what it says it did. */
function openingOf(said: string): string {
  return /^[^\n]*?(?:\.(?=\s)|$)/m.exec(said)![0];
}

/** Those who only ever report a status or say the same thing again, word for word. */
function machinesAmong(turns: readonly { who: string; said: string }[]): ReadonlySet<string> {
  const seen = Map.groupBy(turns, ({ who, said }) => `${who}\n${said}`);
  const speaks = new Set(
    turns
      .filter(({ who, said }) => !STATUS_LINE.test(said) && seen.get(`${who}\n${said}`)!.length < 2)
      .map(({ who }) => who),
  );
  return new Set(turns.map(({ who }) => who).filter((who) => !speaks.has(who)));
}
