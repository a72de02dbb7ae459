/**
 * Who took the first wrong step of a failed session, and which step it was: exact matches over all files, beside what
 * constants get. Files are halved by a hash of what they hold; the mechanism was developed on `seen`.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { firstWrongStep, type SessionStep } from '../src/diagnose/first-wrong-step.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { conversationSteps, type Turn } from './parts/conversation.ts';

interface Case {
  readonly question: string;
  readonly history: readonly Turn[];
  readonly label: { readonly agent: string; readonly step: number };
}

interface Answer {
  readonly who: string | undefined;
  readonly step: number;
}

type Way = (steps: readonly SessionStep[], question: string) => Answer;

const OURS = 'ours';
const WAYS: Readonly<Record<string, Way>> = {
  [OURS]: (steps, question) => {
    const wrong = firstWrongStep(steps, question);
    return { who: wrong?.who, step: wrong?.step ?? -1 };
  },
  first_step: (steps) => at(steps, 0),
  second_step: (steps) => at(steps, 1),
  last_agent: (steps) => at(steps, steps.length - 1),
  most_frequent_agent: (steps) => {
    const who = mostFrequent(
      steps.filter((step) => step.isResult !== true).map((step) => step.who),
    );
    return at(
      steps,
      steps.findIndex((step) => step.who === who),
    );
  },
};

export const measurement: Measurement = {
  what: 'the first wrong step of a failed session and who took it',
  aims: { agent_accuracy: '>=0.60', step_accuracy: '>=0.30' },
  async *run(context) {
    const folder = context.dataDir('attribution');
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    if (files.length === 0) throw new Error(`no .json files in ${folder}`);
    const cases = files.sort().map((file) => readCase(`${folder}/${file}`));
    for (const set of ['seen', 'unseen'])
      yield* figures(
        set,
        cases.filter(({ half }) => half === set),
      );
    yield* figures('total', cases);
  },
};

function readCase(path: string): Case & { half: string } {
  const text = readFileSync(path, 'utf8');
  const [byte = 0] = createHash('sha256').update(text).digest();
  return { ...(JSON.parse(text) as Case), half: byte % 2 === 0 ? 'seen' : 'unseen' };
}

function* figures(set: string, cases: readonly Case[]): Generator<Figure> {
  const n = cases.length;
  if (n === 0) return;
  for (const [name, way] of Object.entries(WAYS)) {
    const answers = cases.map(({ question, history, label }) => {
      const { who, step } = way(conversationSteps(history), question);
      return { agent: who === label.agent, step: step === label.step };
    });
    const prefix = name === OURS ? '' : `${name}_`;
    const share = (key: 'agent' | 'step') => answers.filter((one) => one[key]).length / n;
    yield { set, metric: `${prefix}agent_accuracy`, value: share('agent'), n };
    yield { set, metric: `${prefix}step_accuracy`, value: share('step'), n };
  }
}

function at(steps: readonly SessionStep[], step: number): Answer {
  return { who: steps[step]?.who, step };
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
