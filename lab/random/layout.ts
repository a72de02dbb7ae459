/**
 * How a target keeps the settings of its agents: which files, which format, which keys, which units. The same dice
 * give the same layout for other values, so a change of a value changes its line and no other.
 */
import { stringify } from 'yaml';
import type { Place } from '../places.ts';
import type { AgentTraffic, Scenario } from '../scenario-schema.ts';
import type { Dice } from './dice.ts';
import { FOLDERS, KEY_WORDS, type SettingKind } from './names.ts';

export type ToolValues = Partial<Record<SettingKind, number | string | readonly string[]>>;

export interface AgentSpec {
  readonly name: string;
  readonly tools: Readonly<Record<string, ToolValues>>;
  readonly model: string;
  readonly rules: readonly string[];
  /** Arguments of tools, as the schemas in the target have them. */
  readonly schemas?: Readonly<Record<string, readonly string[]>>;
}

export interface Target {
  readonly files: Scenario['files'];
  readonly agentFiles: readonly string[];
  settingsOf(agent: string): NonNullable<AgentTraffic['settings']>;
  placeOf(agent: string, tool: string, kind: SettingKind): Place;
  modelPlace(agent: string): Place;
  promptOf(agent: string): string;
}

const FORMATS = ['yaml', 'yaml', 'json', 'toml', 'md', 'ts', 'py'] as const;
type Format = (typeof FORMATS)[number];
const TIME_STYLES = ['ms', 'ms', 's', 'text', 'quoted'] as const;

interface Style {
  readonly folder: string;
  readonly format: Format;
  /** All agents in one file, where the format allows it. */
  readonly isShared: boolean;
  /** Retries that all have stand in a file of defaults. */
  readonly hasDefaults: boolean;
  readonly times: (typeof TIME_STYLES)[number];
  readonly keys: Readonly<Record<SettingKind, string>>;
  readonly prompts: string;
}

export function drawTarget(dice: Dice, agents: readonly AgentSpec[]): Target {
  const style = drawStyle(dice.of('style'));
  const files: Record<string, string> = {};
  const fileOf = (agent: string) =>
    style.isShared
      ? `${style.folder}/all.${style.format}`
      : `${style.folder}/${agent}.${style.format}`;
  const promptOf = (agent: string) => `${style.prompts}/${agent}.md`;
  const texts = new Map<string, AgentSpec[]>();
  for (const agent of agents)
    texts.set(fileOf(agent.name), [...(texts.get(fileOf(agent.name)) ?? []), agent]);
  for (const [file, some] of texts) files[file] = written(style, some);
  for (const { name, rules } of agents)
    files[promptOf(name)] =
      `# ${name}\n\nYou work for the people who write to you.\n\n${rules.map((rule) => `- ${rule}\n`).join('')}`;
  if (style.hasDefaults)
    files[defaultsFile(style)] = stringify({ defaults: { [style.keys.retries]: 1 } });
  for (const [tool, names] of agents.flatMap(({ schemas = {} }) => Object.entries(schemas)))
    files[`${CONTRACTS}/${tool}.json`] = schemaText(tool, names);
  addDecoys(dice.of('decoys'), files, [...texts.keys()]);
  const placeOf = (agent: string, tool: string, kind: SettingKind): Place =>
    placeIn(style, fileOf(agent), agent, tool, kind);
  return {
    files,
    agentFiles: [`${style.folder}/**`, `${style.prompts}/**`, `${CONTRACTS}/**`],
    placeOf,
    promptOf,
    modelPlace: (agent) => modelPlace(style, fileOf(agent), agent),
    settingsOf: (name) =>
      settingsOf(style, agents.find((one) => one.name === name)!, {
        placeOf,
        model: modelPlace(style, fileOf(name), name),
      }),
  };
}

const CONTRACTS = 'contracts';

/** As MCP servers and the interfaces of models describe a tool. */
function schemaText(name: string, names: readonly string[]): string {
  const properties = Object.fromEntries(names.map((one) => [one, { type: 'string' }]));
  const schema = { name, inputSchema: { type: 'object', properties, required: names } };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function drawStyle(dice: Dice): Style {
  const format = dice.pick(FORMATS);
  const hasOneFile = format !== 'md' && format !== 'ts' && format !== 'py' && format !== 'toml';
  const kinds = Object.keys(KEY_WORDS) as SettingKind[];
  return {
    folder: dice.pick(FOLDERS),
    format,
    isShared: hasOneFile && dice.chance(0.3),
    hasDefaults: dice.chance(0.2),
    times: format === 'md' ? 'ms' : dice.pick(TIME_STYLES),
    keys: Object.fromEntries(
      kinds.map((kind) => [kind, dice.pick(KEY_WORDS[kind])]),
    ) as Style['keys'],
    prompts: dice.pick(['prompts', 'instructions', 'texts']),
  };
}

function defaultsFile({ folder }: Style): string {
  return `${folder}/defaults.yaml`;
}

/** As the file has it: the time in its unit, the rest as it is. */
function shown({ times }: Style, kind: SettingKind, value: ToolValues[SettingKind]): unknown {
  if (kind !== 'timeout') return value;
  const ms = value as number;
  return { ms, s: ms / 1000, text: `${ms / 1000}s`, quoted: String(ms) }[times];
}

function keyOf({ keys, times }: Style, kind: SettingKind): string {
  const unit = kind === 'timeout' && times === 's' && keys.timeout !== 'k1' ? '_seconds' : '';
  return keys[kind] + unit;
}

function entries(style: Style, values: ToolValues): [string, unknown][] {
  const kinds = Object.keys(values) as SettingKind[];
  return kinds
    .filter((kind) => !(style.hasDefaults && kind === 'retries' && values.retries === 1))
    .map((kind) => [keyOf(style, kind), shown(style, kind, values[kind])]);
}

function constant(agent: string, tool: string, key: string): string {
  return `${agent}_${tool}_${key}`.replace(/\W/g, '_').toUpperCase();
}

function written(style: Style, agents: readonly AgentSpec[]): string {
  const trees = agents.map((agent) => ({
    name: agent.name,
    model: agent.model,
    prompt: `${style.prompts}/${agent.name}.md`,
    tools: Object.fromEntries(
      Object.entries(agent.tools).map(([tool, values]) => [
        tool,
        Object.fromEntries(entries(style, values)),
      ]),
    ),
  }));
  const tree = style.isShared
    ? { agents: Object.fromEntries(trees.map((one) => [one.name, one])) }
    : trees[0]!;
  switch (style.format) {
    case 'yaml':
      return stringify(tree);
    case 'json':
      return `${JSON.stringify(tree, null, 2)}\n`;
    case 'md':
      return `---\n${stringify(tree)}---\n\nRead by the runtime when a session begins.\n`;
    case 'toml':
      return tomlText(trees[0]!);
    case 'ts':
    case 'py':
      return codeText(style, agents[0]!);
  }
}

function tomlText(tree: {
  name: string;
  model: string;
  prompt: string;
  tools: Record<string, object>;
}): string {
  const { tools, ...top } = tree;
  const lines = (some: object) =>
    Object.entries(some)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
      .join('');
  const tables = Object.entries(tools).map(
    ([tool, some]) => `\n[tools.${/\W/.test(tool) ? JSON.stringify(tool) : tool}]\n${lines(some)}`,
  );
  return lines(top) + tables.join('');
}

function codeText(style: Style, { name, model, tools }: AgentSpec): string {
  const isTs = style.format === 'ts';
  const end = isTs ? ';' : '';
  const define = isTs ? 'export const ' : '';
  const rows = Object.entries(tools).flatMap(([tool, values]) =>
    entries(style, values).map(
      ([key, value]) => `${define}${constant(name, tool, key)} = ${JSON.stringify(value)}${end}\n`,
    ),
  );
  const top = `${define}${constant(name, 'model', 'name')} = ${JSON.stringify(model)}${end}\n`;
  return `${isTs ? '//' : '#'} What ${name} keeps to.\n${top}${rows.join('')}`;
}

function placeIn(
  style: Style,
  file: string,
  agent: string,
  tool: string,
  kind: SettingKind,
): Place {
  const key = keyOf(style, kind);
  if (style.format === 'ts' || style.format === 'py')
    return {
      file,
      match: `${constant(agent, tool, key)} = ${kind === 'arguments' ? '\\[([^\\]]*)\\]' : '"?([^";\\n]*)'}`,
    };
  const own = ['tools', tool, key];
  return { file, path: style.isShared ? ['agents', agent, ...own] : own };
}

function modelPlace(style: Style, file: string, agent: string): Place {
  if (style.format === 'ts' || style.format === 'py')
    return { file, match: `${constant(agent, 'model', 'name')} = "([^"]*)"` };
  return { file, path: style.isShared ? ['agents', agent, 'model'] : ['model'] };
}

function settingsOf(
  style: Style,
  { name, tools }: AgentSpec,
  { placeOf, model }: { placeOf: Target['placeOf']; model: Place },
): NonNullable<AgentTraffic['settings']> {
  const unit = style.times === 's' ? 's' : 'ms';
  const readAs = (place: Place) => ({
    file: place.file,
    path: place.path && [...place.path],
    match: place.match,
    unit,
    counts: 'retries' as const,
  });
  const of = (tool: string, values: ToolValues) =>
    Object.fromEntries(
      (Object.keys(values) as SettingKind[]).map((kind) => {
        const own = readAs(placeOf(name, tool, kind));
        const path = ['defaults', style.keys.retries];
        const fallback = { file: defaultsFile(style), path, unit, counts: 'retries' } as const;
        return [kind, kind === 'retries' && style.hasDefaults ? [own, fallback] : own];
      }),
    );
  return {
    tools: Object.fromEntries(
      Object.entries(tools).map(([tool, values]) => [tool, of(tool, values)]),
    ),
    model: readAs(model),
  } as NonNullable<AgentTraffic['settings']>;
}

/** Numbers that mean nothing here, and copies that nobody reads. */
function addDecoys(dice: Dice, files: Record<string, string>, agentFiles: readonly string[]): void {
  const numbers = Array.from({ length: 6 }, () => Math.round(dice.magnitude(1, 90_000)));
  files['README.md'] =
    `# The fleet\n\nIt began in 2023 with ${numbers[0]} users and listens on port ${8000 + dice.whole(1, 900)}.\n`;
  files['deploy/limits.json'] =
    `${JSON.stringify({ memory_mb: numbers[1], port: 8080, grace: numbers[2], log: { keep_days: 30, size: numbers[3] } }, null, 2)}\n`;
  const copied = dice.pick(agentFiles);
  if (dice.chance(0.35))
    files[`${dice.pick(['old', 'examples', 'backup'])}/${copied.split('/').at(-1)}`] =
      files[copied]!;
}
