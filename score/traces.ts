/**
 * Faults of single steps in traces of agents, by location and category together: one hit is the right span with the
 * right category. Several equal labels count once. Halved by a hash of the trace; developed on `seen`. Beside ours:
 * the most usual category at every model call of a step, and at the last one.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AgentRun, type FaultKind, stepFaults } from '../src/diagnose/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { agentRuns, type Span } from './parts/span-runs.ts';

/** Our words in those of the labels. */
const CATEGORIES: Readonly<Record<FaultKind, string>> = {
  unmade_call: 'Tool Selection Errors',
  unfounded_claim: 'Tool-related',
  unfounded_answer: 'Goal Deviation',
  repeated_call: 'Resource Abuse',
  malformed: 'Formatting Errors',
  timeout: 'Timeout Issues',
  rate_limit: 'Rate Limiting',
  size_limit: 'Resource Exhaustion',
};
const USUAL = 'Goal Deviation';

type Finding = (runs: readonly AgentRun[]) => string[];

const OURS = 'joint';
const WAYS: Readonly<Record<string, Finding>> = {
  [OURS]: (runs) => runs.flatMap(stepFaults).map(({ id, kind }) => `${id} ${CATEGORIES[kind]}`),
  every_step: (runs) => runs.flatMap(({ steps }) => steps.map(({ id }) => `${id} ${USUAL}`)),
  last_step: (runs) =>
    runs.flatMap(({ steps }) => steps.slice(-1).map(({ id }) => `${id} ${USUAL}`)),
};

interface Case {
  readonly half: string;
  readonly runs: readonly AgentRun[];
  readonly labels: ReadonlySet<string>;
}

export const measurement: Measurement = {
  what: 'faults in traces of agents, by span and category',
  aims: { joint_f1: '>=0.15' },
  async *run(context) {
    const folder = context.dataDir('traces');
    const cases = readdirSync(folder)
      .filter((name) => existsSync(`${folder}/${name.replace(/\.json$/, '.labels.json')}`))
      .filter((name) => !name.endsWith('.labels.json'))
      .sort()
      .map((name) => readCase(`${folder}/${name}`));
    if (cases.length === 0) throw new Error(`no traces with labels in ${folder}`);
    for (const set of ['seen', 'unseen'])
      yield* figures(
        set,
        cases.filter(({ half }) => half === set),
      );
    yield* figures('total', cases);
  },
};

function readCase(path: string): Case {
  const text = readFileSync(path, 'utf8');
  const [byte = 0] = createHash('sha256').update(text).digest();
  const { errors } = JSON.parse(readFileSync(path.replace(/\.json$/, '.labels.json'), 'utf8')) as {
    errors: { location: string; category: string }[];
  };
  return {
    half: byte % 2 === 0 ? 'seen' : 'unseen',
    runs: agentRuns((JSON.parse(text) as { spans: Span[] }).spans),
    labels: new Set(errors.map(({ location, category }) => `${location} ${category}`)),
  };
}

function* figures(set: string, cases: readonly Case[]): Generator<Figure> {
  if (cases.length === 0) return;
  const n = cases.reduce((sum, { labels }) => sum + labels.size, 0);
  for (const [name, find] of Object.entries(WAYS)) {
    let hits = 0;
    let given = 0;
    for (const { runs, labels } of cases) {
      const found = new Set(find(runs));
      given += found.size;
      hits += [...found].filter((one) => labels.has(one)).length;
    }
    yield { set, metric: `${name}_f1`, value: (2 * hits) / Math.max(1, given + n), n };
    yield { set, metric: `${name}_recall`, value: hits / Math.max(1, n), n };
    yield { set, metric: `${name}_precision`, value: hits / Math.max(1, given), n: given };
  }
}
