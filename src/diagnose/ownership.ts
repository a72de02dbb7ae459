/**
 * Whose setting it is. A number that fits a failure but belongs to another tool or agent must not be
 * blamed, so a sign of another owner rules it out; without any sign of this agent or tool it has
 * no owner. Names are compared without regard to case and word separators.
 */
import { isToolName, type ToolNames, toolNames } from './tool-names.ts';
import type { Setting, Step } from './types.ts';
import { sameName, wordsOf } from './wording.ts';

/**
 * From weak to strong: another's, nobody's in particular, the agent's for all tools, the tool's for all agents, or
 * both.
 */
export type Ownership = 'none' | 'anyone' | 'agent' | 'tool' | 'both';

export const OWNER_RANK: readonly Ownership[] = ['none', 'anyone', 'agent', 'tool', 'both'];

/** Names below `tools:` that mean every tool. */
export const EVERYBODY = /^(?:defaults?|all|any|common|shared|\*)$/i;

export function ownershipOf(setting: Setting, agent: string, tool: string): Ownership {
  const folders = setting.file.split('/');
  const file = folders.pop()!.replace(/\.[A-Za-z]+$/, '');
  const { steps, documentName } = setting;
  const names: Names = { agent, tool: toolNames(tool) };
  if (isOthers(setting, [...folders, file], names)) return 'none';
  const { ofAgent = agent } = setting;
  if (agent !== '' && !sameName(ofAgent, agent)) return 'none';
  const inFile = (isIt: (name: string) => boolean) =>
    [file, ...folders].some(isIt) || (documentName !== null && isIt(documentName));
  const isAgent = (name: string) => agent !== '' && sameName(name, agent);
  const isTool = (name: string) => isToolName(name, names.tool);
  const isServer = (name: string) =>
    names.tool.server !== null && sameName(name, names.tool.server);
  const inSteps = (isIt: (name: string) => boolean) => steps.some((step) => isNamed(step, isIt));
  const byAgent = inSteps(isAgent) || inFile(isAgent) || isAgent(setting.ofAgent ?? '');
  const byTool =
    inSteps(isTool) ||
    inFile(isTool) ||
    inSteps(isServer) ||
    inFile(isServer) ||
    isWithin(steps.at(-1)?.key ?? '', names.tool.own);
  // A document with another name belongs to others, unless a key inside it names an owner.
  const foreign = documentName !== null && !isAgent(documentName) && !isTool(documentName);
  if (!byAgent && !byTool) {
    // `rock_sample.json` beside the tool `rock_sample`: it is that tool's, whoever else mentions it.
    if (foreign || (tool !== '' && setting.isInToolsFile === true)) return 'none';
    // Likeness is weaker than any name.
    return setting.like?.some((name) => isAgent(name) || isTool(name)) === true
      ? 'agent'
      : 'anyone';
  }
  if (foreign && !inSteps(isAgent) && !(inSteps(isTool) && byAgent)) return 'none';
  if (tool === '') return 'both';
  if (byAgent && byTool) return 'both';
  return byTool ? 'tool' : 'agent';
}

/** Those of the nearest owner that has any; a setting of nobody in particular counts only where `least` lets it. */
export function ofNearestOwner<T extends { readonly setting: Setting }>(
  found: readonly T[],
  { agent, tool }: { readonly agent: string; readonly tool: string },
  least: Exclude<Ownership, 'none'> = 'agent',
): T[] {
  const ranked = found
    .map((one) => ({ one, rank: OWNER_RANK.indexOf(ownershipOf(one.setting, agent, tool)) }))
    .filter(({ rank }) => rank >= OWNER_RANK.indexOf(least));
  const nearest = ranked.reduce((best, { rank }) => Math.max(best, rank), 0);
  return ranked.filter(({ rank }) => rank === nearest).map(({ one }) => one);
}

/**
 * Whether the setting stands where another tool has what this one has elsewhere: `sensors.wait` is of the tool `sensors`, so
 * that `valves.wait` beside it is not, whatever it is called; nor is `BOT_VALVES_WAIT` beside `BOT_SENSORS_WAIT`. Only one step of
 * the way may differ. `wait.valves` beside `wait.sensors` is another tool's where `known` has a tool of that very name; `wait.total`
 * may be for both.
 */
export function isAnothers(
  setting: Setting,
  settings: readonly Setting[],
  { agent, tool, known = [] }: Asking,
): boolean {
  const { file, path, start } = setting;
  // `waits.sensors` beside `tries.sensors` is of the same tool: it stands there by its name.
  if (['tool', 'both'].includes(ownershipOf(setting, agent, tool))) return false;
  return settings.some((own) => {
    if (own.file !== file || own.start === start || own.path.length !== path.length) return false;
    const differing = path.flatMap((step, at) => (step === own.path[at] ? [] : [at]));
    if (differing.length !== 1) return false;
    const [at] = differing as [number];
    const [key, ownKey] = [path[at]!, own.path[at]!];
    const isNamedBeside = isToolName(ownKey, toolNames(tool)) && isAnyTool(key, known);
    if (at === path.length - 1 && !isNamedBeside && !isBeside(key, ownKey, tool)) return false;
    return ['tool', 'both'].includes(ownershipOf(own, agent, tool));
  });
}

interface Asking {
  readonly agent: string;
  readonly tool: string;
  /** The tools that telemetry knows. */
  readonly known?: readonly string[];
}

const isAnyTool = (key: string, tools: readonly string[]) =>
  tools.some((tool) => isToolName(key, toolNames(tool)));

/** Whether a key says something else where the other one says the tool, and the same before and after it. */
function isBeside(key: string, own: string, tool: string): boolean {
  const [said, says] = [key, own].map((one) => `_${wordsOf(one).join('_')}_`) as [string, string];
  const { whole, own: short } = toolNames(tool);
  const name = [whole, short]
    .map((one) => `_${wordsOf(one).join('_')}_`)
    .find((one) => one !== '__' && says.includes(one));
  if (name === undefined) return false;
  const [before, after] = says.split(name) as [string, string];
  // Without a word behind the name nothing says that they are of one kind.
  if (after === '' || said.length <= before.length + after.length + 2) return false;
  return said.startsWith(`${before}_`) && said.endsWith(`_${after}`);
}

/**
 * Whether a file of this agent says the same itself, so that it does not read it here: another agent's file beside its own, or one
 * that its own goes before. Items of lists count by their names.
 */
export function isSaidByOwn(
  { file, steps }: Setting,
  settings: readonly Setting[],
  { agent, tool }: { readonly agent: string; readonly tool: string },
): boolean {
  const place = placeOf(steps);
  return settings.some(
    (own) =>
      own.file !== file && placeOf(own.steps) === place && ownershipOf(own, agent, tool) === 'both',
  );
}

/** The keys that lead to a place; items of lists by their names. */
export function placeOf(steps: readonly Step[]): string {
  return steps.map(({ key, name }) => (/^\d+$/.test(key) ? (name ?? key) : key)).join('\n');
}

/** Shorter names are words of many keys. */
const NAME_CHARS_MIN = 5;

/** Where nothing is nested, the key itself names the tool: `WEB_SEARCH_TIMEOUT_MS`. */
function isWithin(key: string, name: string): boolean {
  const [words, own] = [wordsOf(key), wordsOf(name)];
  if (name.length < NAME_CHARS_MIN || own.length === 0 || own.length >= words.length) return false;
  return `_${words.join('_')}_`.includes(`_${own.join('_')}_`);
}

interface Names {
  readonly agent: string;
  readonly tool: ToolNames;
}

/** Below `tools:` or in `tools/` comes the name of a tool; if it is another one, the setting is not ours. */
function isOthers(
  { steps, documentName }: Setting,
  parts: readonly string[],
  { agent, tool }: Names,
): boolean {
  const isTool = (name: string) => isToolName(name, tool);
  const holders = [
    { holder: /^tools?$/i, isIt: isTool },
    { holder: /^agents?$/i, isIt: (name: string) => sameName(name, agent) },
    {
      holder: /^mcp_?servers?$/i,
      isIt: (name: string) => tool.server !== null && sameName(name, tool.server),
    },
  ];
  return holders.some(({ holder, isIt }) => {
    const inSteps = steps.some((step, at) => {
      const next = steps[at + 1];
      // The last step is the setting itself: `tools: { timeout_ms: 800 }` is for every tool.
      if (!holder.test(step.key) || next === undefined || at + 2 === steps.length) return false;
      return !isNamed(next, isIt) && !EVERYBODY.test(next.key);
    });
    if (inSteps) return true;
    const named = steps.some((step) => isNamed(step, isIt));
    if (named || (documentName !== null && isIt(documentName))) return false;
    // `tools/bots/loca.json` that calls itself `loca` is that agent's, whatever the folder is called.
    if (documentName !== null && agent !== '' && sameName(documentName, agent)) return false;
    const from = parts.findIndex((part) => holder.test(part));
    const below = from < 0 ? [] : parts.slice(from + 1);
    const ours = below.some((part) => isIt(part) || EVERYBODY.test(part));
    return below.length > 0 && !ours;
  });
}

function isNamed(step: Step, isIt: (name: string) => boolean): boolean {
  return isIt(step.key) || (step.name !== null && isIt(step.name));
}

export function isCalled(step: Step, name: string): boolean {
  return isNamed(step, (one) => sameName(one, name));
}
