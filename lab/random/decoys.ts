/** What stands in a target and means nothing: numbers of other things, copies that nobody reads, commits that do no harm. */
import type { Dice } from './dice.ts';
import { ruleText } from './names.ts';
import { allOf, type Edit, type Values, withAgent, withValues } from './values.ts';

interface Decoys {
  /** The files that are read, as they were at first. */
  readonly read: Readonly<Record<string, string>>;
  readonly values: Values;
  readonly folder: string;
  /** A time limit as this target writes it. */
  shown(ms: number): unknown;
}

const WORDS = 'memory_mb,grace,keep,port,shards,batch,history,refresh,interval,heartbeat'.split(
  ',',
);

export function addDecoys(dice: Dice, files: Record<string, string>, decoys: Decoys): void {
  const { read, values, folder, shown } = decoys;
  const numbers = WORDS.map(() => Math.round(dice.magnitude(1, 90_000)));
  const echoed = values.echoed.map(shown);
  files['README.md'] =
    `# The fleet\n\nIt began in 2023 with ${values.users} users and listens on port ${8000 + dice.whole(1, 900)}.\n`;
  const limits = Object.fromEntries(
    dice
      .shuffled(WORDS)
      .slice(0, 4)
      .map((word, at) => [word, echoed[at] ?? numbers[at]!]),
  );
  files['deploy/limits.json'] = `${JSON.stringify(limits, null, 2)}\n`;
  const copied = dice.pick(Object.keys(read).filter((file) => file.startsWith(`${folder}/`)));
  const name = copied.split('/').at(-1)!;
  const elsewhere = dice.pick([
    'old',
    'examples',
    'backup',
    `${folder}/legacy`,
    `${folder}/samples`,
  ]);
  if (dice.chance(0.35)) files[`${elsewhere}/${name}`] = read[copied]!;
}

/** Commits that change something and break nothing. Agents that are ill only get one more sentence. */
export function harmlessEdit(dice: Dice, { agents }: Values, ill: readonly string[]): Edit {
  const agent = dice.pick(agents);
  const tool = dice.pick(Object.keys(agent.tools));
  const { timeout, retries } = agent.tools[tool]!;
  const rule = ruleText(dice);
  const sentence = withAgent(agent.name, ({ rules }) => ({ rules: [...rules, rule] }));
  const users: Edit = (values) => ({ ...values, users: values.users + 7 });
  if (ill.includes(agent.name)) return dice.pick([sentence, sentence, users]);
  const longer = withValues(agent.name, tool, {
    timeout: Math.ceil((timeout as number) / 500) * 600,
  });
  const again = withValues(agent.name, tool, { retries: (retries as number) + 1 });
  return dice.pick([sentence, users, longer, longer, again, allOf([sentence, longer])]);
}
