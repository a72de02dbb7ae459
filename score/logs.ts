/**
 * The template miner on labelled logs. Every line of a file is added in order, in one pass; then each
 * line has the template its id resolves to at the end, and that template's final text. The miner has
 * one configuration and is not told which system it reads. Metrics and the normalisation of
 * templates: `metrics/grouping.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type Random, randomInt, seededRandom } from '../src/base/index.ts';
import { Miner } from '../src/text/miner/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { parseCsv } from './metrics/csv.ts';
import { adjustedRandIndex, type Labelled, scoreGrouping } from './metrics/grouping.ts';

const METRICS = ['ga', 'fga', 'pa', 'fta', 'merge_ari', 'shuffle_ari'] as const;
type Scores = Record<(typeof METRICS)[number], number>;

export const measurement: Measurement = {
  what: 'templates of log messages, one configuration for all systems',
  aims: {
    ga: '>=0.93',
    fga: '>=0.88',
    pa: '>=0.70',
    fta: '>=0.60',
    merge_ari: '>=0.99',
    shuffle_ari: '>=0.99',
  },
  run,
};

async function* run(context: Context): AsyncGenerator<Figure> {
  const folder = context.dataDir('logs');
  const all: Scores[] = [];
  let lines = 0;
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  for (const file of files.sort()) {
    const set = file.slice(0, -'.csv'.length);
    const rows = parseCsv(readFileSync(`${folder}/${file}`, 'utf8'));
    const { messages, truth } = columns(rows);
    const scores = scoreSystem(messages, truth, seededRandom(context.seed));
    for (const metric of METRICS) yield { set, metric, value: scores[metric], n: messages.length };
    all.push(scores);
    lines += messages.length;
  }
  if (all.length === 0) throw new Error(`no .csv files in ${folder}`);
  for (const metric of METRICS) {
    const value = all.reduce((sum, scores) => sum + scores[metric], 0) / all.length;
    yield { set: 'total', metric, value, n: lines, note: `mean over ${all.length} systems` };
  }
}

function columns(rows: readonly string[][]): { messages: string[]; truth: Labelled[] } {
  const [head, ...lines] = rows;
  const column = (name: string): number => {
    const index = head?.indexOf(name) ?? -1;
    if (index < 0) throw new Error(`the file has no column ${name}`);
    return index;
  };
  const [content, event, template] = [
    column('Content'),
    column('EventId'),
    column('EventTemplate'),
  ];
  return {
    messages: lines.map((line) => line[content]!),
    truth: lines.map((line) => ({ group: line[event]!, template: line[template]! })),
  };
}

function scoreSystem(
  messages: readonly string[],
  truth: readonly Labelled[],
  random: Random,
): Scores {
  const miner = new Miner();
  const ids = messages.map((message) => miner.add(message).templateId);
  const templates = new Map([...new Set(ids)].map((id) => [id, miner.template(id)!]));
  const predicted = ids.map((id) => {
    const { id: group, text } = templates.get(id)!;
    return { group, template: text };
  });
  const groups = predicted.map(({ group }) => group);
  const { ga, fga, pa, fta } = scoreGrouping(truth, predicted);
  return {
    ga,
    fga,
    pa,
    fta,
    merge_ari: adjustedRandIndex(groups, groupsOfHalves(messages)),
    shuffle_ari: adjustedRandIndex(groups, groupsShuffled(messages, random)),
  };
}

/** One miner sees the first half, another the second; a third state merges them. */
function groupsOfHalves(messages: readonly string[]): string[] {
  const middle = Math.floor(messages.length / 2);
  const [left, right] = [new Miner(), new Miner()];
  const ids = messages.map((message, i) => (i < middle ? left : right).add(message).templateId);
  left.merge(right);
  return ids.map((id) => left.currentId(id)!);
}

function groupsShuffled(messages: readonly string[], random: Random): string[] {
  const order = messages.map((_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const other = randomInt(random, i + 1);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  const miner = new Miner();
  const ids: string[] = [];
  for (const line of order) ids[line] = miner.add(messages[line]!).templateId;
  return ids.map((id) => miner.currentId(id)!);
}
