/**
 * How a target keeps the settings of its agents: which files, which format, which keys, which units. The same dice
 * give the same layout for other values, so a change of a value changes its line and no other.
 */
import { stringify } from 'yaml';
import type { Place } from '../places.ts';
import type { AgentTraffic, Scenario } from '../scenario-schema.ts';
import { addDecoys } from './decoys.ts';
import type { Dice } from './dice.ts';
import {
  CASINGS,
  type Casing,
  cased,
  folderName,
  freshName,
  keyWords,
  type SettingKind,
} from './names.ts';
import type { AgentSpec, LimitSpec, SharedSpec, TimeStyle, ToolValues, Values } from './values.ts';

export interface Target {
  readonly files: Scenario['files'];
  readonly agentFiles: readonly string[];
  settingsOf(agent: string): NonNullable<AgentTraffic['settings']>;
  placeOf(agent: string, tool: string, kind: SettingKind): Place;
  /** Where a time limit stands once it was rewritten without its unit. */
  unitlessPlace(agent: string, tool: string): Place;
  limitPlace(name: string): Place;
  modelPlace(agent: string): Place;
  promptOf(agent: string): string;
}

const FORMATS = ['yaml', 'yaml', 'json', 'json', 'toml', 'md', 'ts', 'py', 'env'] as const;
type Format = (typeof FORMATS)[number];
const TIME_STYLES: readonly TimeStyle[] = ['ms', 'ms', 's', 's', 'text', 'words', 'quoted', 'iso'];
const KINDS: readonly SettingKind[] = [
  ...(['timeout', 'retries', 'concurrency', 'rate'] as const),
  ...(['max_output', 'max_input', 'arguments', 'calls'] as const),
];

interface Style {
  readonly folder: string;
  readonly format: Format;
  readonly casing: Casing;
  /** All agents in one file, where the format allows it. */
  readonly isShared: boolean;
  /** Keys around everything, and around the values of a tool. */
  readonly around: readonly string[];
  readonly inside: readonly string[];
  /** Tools stand in a list of entries with their names. */
  readonly isList: boolean;
  readonly section: string;
  /** Retries that all have stand in a file of defaults. */
  readonly hasDefaults: boolean;
  /** The first try counts as well. */
  readonly countsTries: boolean;
  readonly times: TimeStyle;
  /** Written behind a key, where a bare number does not say what it counts. */
  readonly unitKeys: { readonly s: string; readonly ms: string };
  readonly keys: Readonly<Record<SettingKind, string>>;
  readonly prompts: string;
  /** Agents name the files that hold what they share. */
  readonly refers: boolean;
}

const FLAT: readonly Format[] = ['ts', 'py', 'env'];

export function drawTarget(dice: Dice, values: Values, first: Values = values): Target {
  const style = drawStyle(dice.of('style'), values);
  const placeOf = (agent: string, tool: string, kind: SettingKind) =>
    placeIn(style, values, { agent, tool, kind, isUnitless: false });
  const promptOf = (agent: string) => `${style.prompts}/${agent}.md`;
  const files = filesOf(style, values);
  addDecoys(dice.of('decoys'), files, {
    read: filesOf(style, first),
    values,
    shown: (ms) => shown(style, 'timeout', ms, false),
    folder: style.folder,
  });
  const modelPlace = (agent: string) => modelPlaceIn(style, values, agent);
  return {
    files,
    agentFiles: [...new Set([`${style.folder}/**`, `${style.prompts}/**`, `${CONTRACTS}/**`])],
    placeOf,
    unitlessPlace: (agent, tool) =>
      placeIn(style, values, { agent, tool, kind: 'timeout', isUnitless: true }),
    limitPlace: (name) => limitPlace(style, values, name),
    promptOf,
    modelPlace,
    settingsOf: (name) => settingsOf(style, values, name),
  };
}

const CONTRACTS = 'contracts';
const fileName = (name: string) => name.replace(/[^\w.-]/g, '_');

function filesOf(style: Style, values: Values): Record<string, string> {
  const files: Record<string, string> = {};
  const { agents, limits, shared } = values;
  for (const [file, some] of Map.groupBy(agents, ({ name }) => agentFile(style, name)))
    files[file] = written(style, some, values);
  for (const { name, rules } of agents)
    files[`${style.prompts}/${name}.md`] =
      `# ${name}\n\nYou work for the people who write to you.\n\n${rules.map((rule) => `- ${rule}\n`).join('')}`;
  if (style.hasDefaults)
    files[defaultsFile(style)] = stringify({
      defaults: { [style.keys.retries]: style.countsTries ? 2 : 1 },
    });
  for (const one of shared)
    files[ownFile(style, one.name)] = treeText(style, one.name, {
      [sharedKey(style, one)]: sharedValue(style, values, one),
    });
  for (const one of limits)
    files[ownFile(style, one.name)] = treeText(style, one.name, {
      [limitKey(style, one)]: one.value,
    });
  for (const [tool, names] of agents.flatMap(({ schemas = {} }) => Object.entries(schemas)))
    files[`${CONTRACTS}/${fileName(tool)}.json`] = schemaText(tool, names);
  return files;
}

/** As MCP servers and the interfaces of models describe a tool. */
function schemaText(name: string, names: readonly string[]): string {
  const properties = Object.fromEntries(names.map((one) => [one, { type: 'string' }]));
  const schema = { name, inputSchema: { type: 'object', properties, required: names } };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function drawStyle(dice: Dice, { times }: Values): Style {
  const format = dice.pick(FORMATS);
  const isTree = !FLAT.includes(format);
  const casing = dice.pick(CASINGS);
  const countsTries = dice.chance(0.25);
  const keyOf = (kind: SettingKind) =>
    cased(keyWords(dice.of(kind), kind === 'retries' && countsTries ? 'tries' : kind), casing);
  const drawnTimes = dice.pick(TIME_STYLES);
  return {
    folder: folderName(dice),
    format,
    casing,
    isShared: (format === 'yaml' || format === 'json') && dice.chance(0.35),
    around: isTree && dice.chance(0.3) ? [freshName(dice, new Set())] : [],
    inside: isTree && dice.chance(0.25) ? [dice.pick(['limits', 'options', 'with', 'policy'])] : [],
    isList: (format === 'yaml' || format === 'json') && dice.chance(0.25),
    section: dice.pick(['tools', 'tools', 'uses', 'clients', 'skills']),
    hasDefaults: dice.chance(0.2),
    countsTries,
    times: times ?? drawnTimes,
    unitKeys: dice.pick([
      { s: 'seconds', ms: 'ms' },
      { s: 's', ms: 'millis' },
      { s: 'sec', ms: 'milliseconds' },
    ]),
    keys: Object.fromEntries(KINDS.map((kind) => [kind, keyOf(kind)])) as Style['keys'],
    prompts: dice.pick(['prompts', 'instructions', 'texts', 'skills']),
    refers: dice.chance(0.7),
  };
}

const agentFile = ({ folder, format, isShared }: Style, agent: string) =>
  `${folder}/${isShared ? 'all' : agent}.${format}`;
const ownFile = ({ folder, format }: Style, name: string) => `${folder}/${name}.${format}`;
const defaultsFile = ({ folder }: Style) => `${folder}/defaults.yaml`;

/** As the file has it: the time in its unit, the rest as it is. */
function shown(
  { times, countsTries }: Style,
  kind: SettingKind,
  value: ToolValues[SettingKind],
  isUnitless: boolean,
): unknown {
  if (kind === 'retries' && countsTries) return (value as number) + 1;
  if (kind !== 'timeout') return value;
  const ms = value as number;
  if (isUnitless) return ms;
  const isMinutes = ms % 60_000 === 0;
  const [minutes, seconds] = [ms / 60_000, ms / 1000];
  return {
    ms,
    s: seconds,
    text: isMinutes ? `${minutes}m` : `${seconds}s`,
    words: isMinutes ? `${minutes} min` : ms % 1000 === 0 ? `${seconds} seconds` : `${ms} ms`,
    quoted: String(ms),
    iso: isMinutes ? `PT${minutes}M` : `PT${seconds}S`,
  }[times];
}

/** Bare numbers of seconds say so in their keys; where the number became one of milliseconds, the key says that. */
function keyOf(
  { keys, times, unitKeys, casing }: Style,
  kind: SettingKind,
  isUnitless: boolean,
): string {
  if (kind !== 'timeout' || times !== 's') return keys[kind];
  return cased(`${keys.timeout} ${isUnitless ? unitKeys.ms : unitKeys.s}`, casing);
}

const isUnitlessAt = ({ unitless = [] }: AgentSpec, tool: string) => unitless.includes(tool);

function sharedBy({ shared }: Values, agent: string, tool: string, kind: SettingKind) {
  return shared.find(
    (one) => one.kind === kind && one.agents.includes(agent) && one.tools.includes(tool),
  );
}

function entries(
  style: Style,
  values: Values,
  agent: AgentSpec,
  tool: string,
): [string, unknown][] {
  const own = agent.tools[tool]!;
  const isUnitless = isUnitlessAt(agent, tool);
  return (Object.keys(own) as SettingKind[])
    .filter((kind) => !(style.hasDefaults && kind === 'retries' && own.retries === 1))
    .filter((kind) => sharedBy(values, agent.name, tool, kind) === undefined)
    .map((kind) => [keyOf(style, kind, isUnitless), shown(style, kind, own[kind], isUnitless)]);
}

function sharedValue(
  style: Style,
  { agents }: Values,
  { agents: of, tools, kind }: SharedSpec,
): unknown {
  const agent = agents.find(({ name }) => name === of[0])!;
  return shown(style, kind, agent.tools[tools[0]!]![kind], isUnitlessAt(agent, tools[0]!));
}

const sharedKey = (style: Style, { kind }: SharedSpec) => keyOf(style, kind, false);
const limitKey = ({ keys }: Style, { kind }: LimitSpec) => keys[kind];

function constant(...names: readonly string[]): string {
  return names.join('_').replace(/\W/g, '_').toUpperCase();
}

function written(style: Style, agents: readonly AgentSpec[], values: Values): string {
  if (FLAT.includes(style.format)) return flatText(style, agents[0]!, values);
  const trees = agents.map((agent) => ({
    name: agent.name,
    model: agent.model,
    prompt: `${style.prompts}/${agent.name}.md`,
    ...referencesOf(style, values, agent),
    [style.section]: toolsTree(style, values, agent),
  }));
  const tree = style.isShared
    ? { agents: Object.fromEntries(trees.map((one) => [one.name, one])) }
    : trees[0]!;
  return structured(style, nested(style.around, tree));
}

function referencesOf(style: Style, { shared }: Values, { name }: AgentSpec) {
  const files = shared
    .filter(({ agents }) => agents.includes(name))
    .map((one) => ownFile(style, one.name));
  return style.refers && files.length > 0 ? { extends: files[0]! } : {};
}

function toolsTree(style: Style, values: Values, agent: AgentSpec): unknown {
  const of = (tool: string) =>
    nested(style.inside, Object.fromEntries(entries(style, values, agent, tool)));
  const tools = Object.keys(agent.tools);
  return style.isList
    ? tools.map((tool) => ({ name: tool, ...(of(tool) as object) }))
    : Object.fromEntries(tools.map((tool) => [tool, of(tool)]));
}

const nested = (keys: readonly string[], tree: object): object =>
  keys.reduceRight((inner, key) => ({ [key]: inner }), tree);

function structured({ format }: Style, tree: object): string {
  if (format === 'json') return `${JSON.stringify(tree, null, 2)}\n`;
  if (format === 'toml') return tomlText(tree, []).trimStart();
  const text = stringify(tree);
  return format === 'md' ? `---\n${text}---\n\nRead by the runtime when a session begins.\n` : text;
}

/** A file of its own for values that belong to nobody alone. */
function treeText(style: Style, name: string, some: Readonly<Record<string, unknown>>): string {
  if (!FLAT.includes(style.format)) return structured(style, { [name]: some });
  return Object.entries(some)
    .map(([key, value]) => assignment(style, constant(name, key), value))
    .join('');
}

function tomlText(tree: object, table: readonly string[]): string {
  const isTable = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
  const rows = Object.entries(tree).filter(([, value]) => !isTable(value));
  const tables = Object.entries(tree).filter(([, value]) => isTable(value));
  const name = table.map((key) => (/[^\w-]/.test(key) ? JSON.stringify(key) : key)).join('.');
  const head = table.length > 0 && rows.length > 0 ? `\n[${name}]\n` : '';
  const lines = rows.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('');
  return (
    head + lines + tables.map(([key, some]) => tomlText(some as object, [...table, key])).join('')
  );
}

function assignment({ format }: Style, name: string, value: unknown): string {
  if (format === 'env') return `${name}=${Array.isArray(value) ? value.join(',') : value}\n`;
  return format === 'ts'
    ? `export const ${name} = ${JSON.stringify(value)};\n`
    : `${name} = ${JSON.stringify(value)}\n`;
}

function flatText(style: Style, agent: AgentSpec, values: Values): string {
  const { name, model, tools } = agent;
  const rows = Object.keys(tools).flatMap((tool) =>
    entries(style, values, agent, tool).map(([key, value]) =>
      assignment(style, constant(name, tool, key), value),
    ),
  );
  const top = assignment(style, constant(name, 'model', 'name'), model);
  const comment = style.format === 'ts' ? '//' : '#';
  const { extends: file } = referencesOf(style, values, agent);
  const reference = file === undefined ? '' : `${comment} Shared values: ${file}\n`;
  return `${comment} What ${name} keeps to.\n${reference}${top}${rows.join('')}`;
}

/** Of a constant, by the format that it is written in. */
function flatPlace({ format }: Style, file: string, name: string, isList: boolean): Place {
  if (format === 'env') return { file, path: [name] };
  return { file, match: `\\b${name} = ${isList ? '\\[([^\\]]*)\\]' : '"?([^";\\n]*)'}` };
}

interface Value {
  readonly agent: string;
  readonly tool: string;
  readonly kind: SettingKind;
  readonly isUnitless: boolean;
}

function placeIn(style: Style, values: Values, { agent, tool, kind, isUnitless }: Value): Place {
  const key = keyOf(style, kind, isUnitless);
  const isFlat = FLAT.includes(style.format);
  const shared = sharedBy(values, agent, tool, kind);
  if (shared !== undefined)
    return isFlat
      ? flatPlace(style, ownFile(style, shared.name), constant(shared.name, key), false)
      : { file: ownFile(style, shared.name), path: [shared.name, key] };
  const file = agentFile(style, agent);
  if (isFlat) return flatPlace(style, file, constant(agent, tool, key), kind === 'arguments');
  const tools = Object.keys(values.agents.find(({ name }) => name === agent)!.tools);
  const own = [style.section, style.isList ? tools.indexOf(tool) : tool, ...style.inside, key];
  return { file, path: [...style.around, ...(style.isShared ? ['agents', agent] : []), ...own] };
}

function limitPlace(style: Style, { limits }: Values, name: string): Place {
  const limit = limits.find((one) => one.name === name)!;
  const file = ownFile(style, name);
  return FLAT.includes(style.format)
    ? flatPlace(style, file, constant(name, limitKey(style, limit)), false)
    : { file, path: [name, limitKey(style, limit)] };
}

function modelPlaceIn(style: Style, _values: Values, agent: string): Place {
  const file = agentFile(style, agent);
  if (FLAT.includes(style.format))
    return flatPlace(style, file, constant(agent, 'model', 'name'), false);
  return { file, path: [...style.around, ...(style.isShared ? ['agents', agent] : []), 'model'] };
}

function settingsOf(
  style: Style,
  values: Values,
  name: string,
): NonNullable<AgentTraffic['settings']> {
  const unit = style.times === 's' ? 's' : 'ms';
  const counts = style.countsTries ? 'tries' : 'retries';
  const readAs = (place: Place, kind?: SettingKind, as = unit) => ({
    file: place.file,
    path: place.path && [...place.path],
    match: place.match,
    unit: as,
    counts: kind === 'retries' ? counts : ('retries' as const),
  });
  const of = (tool: string, own: ToolValues) =>
    Object.fromEntries(
      (Object.keys(own) as SettingKind[]).map((kind) => {
        const value = { agent: name, tool, kind };
        const place = readAs(placeIn(style, values, { ...value, isUnitless: false }), kind);
        const path = ['defaults', style.keys.retries];
        const fallback = { file: defaultsFile(style), path, unit, counts } as const;
        if (kind === 'retries' && style.hasDefaults) return [kind, [place, fallback]];
        if (kind !== 'timeout' || style.times !== 's') return [kind, place];
        // A runtime that takes seconds under one key takes milliseconds under another.
        return [
          kind,
          [place, readAs(placeIn(style, values, { ...value, isUnitless: true }), kind, 'ms')],
        ];
      }),
    );
  const { tools } = values.agents.find((one) => one.name === name)!;
  return {
    tools: Object.fromEntries(Object.entries(tools).map(([tool, own]) => [tool, of(tool, own)])),
    model: readAs(modelPlaceIn(style, values, name)),
  } as NonNullable<AgentTraffic['settings']>;
}
