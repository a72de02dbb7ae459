/**
 * Who a value applies to, by its place: below a tool's name it is that tool's, at the root of an
 * agent's file or below `defaults` it is every tool's, and behind an alias or a merge key it belongs to
 * everybody who refers to it. What the file does not say is unknown, never narrow. Names are attacker-controlled text.
 */
import type { Reach } from '../facts/index.ts';
import { EVERYBODY, isCalled } from './ownership.ts';
import type { Failure, Setting, Step } from './types.ts';
import { sameName } from './wording.ts';

const NAMES_MAX = 100;
/** Keys whose blocks only exist to be referred to. */
const TEMPLATE = /^(?:x-|\.)/;

/** Null: every one of them. */
interface User {
  readonly agent: string | null;
  readonly tool: string | null;
}

type Names = Pick<Failure, 'agent' | 'tool'>;

export function reachOf(setting: Setting, settings: readonly Setting[], names: Names): Reach {
  const inFile = settings.filter(({ file }) => file === setting.file);
  const users = new Map<string, User>();
  for (const one of occurrences(setting, inFile)) {
    const user = userOf(one, names);
    if (user === undefined) return { kind: 'unknown', names: [], within: null };
    users.set(JSON.stringify(user), user);
  }
  const [only, ...others] = users.values();
  if (only === undefined) return { kind: 'unknown', names: [], within: null };
  if ([only, ...others].some(({ agent, tool }) => agent === null && tool === null))
    return { kind: 'all', names: inheriting(setting, inFile), within: null };
  if (others.length > 0) return several([only, ...others]);
  const { agent, tool } = only;
  if (tool !== null) return { kind: 'one', names: [tool], within: agent };
  // A task that fails is the agent's own: then its value reaches that one agent.
  if (names.tool === '') return { kind: 'one', names: [agent!], within: agent };
  return { kind: 'all', names: inheriting(setting, inFile), within: agent };
}

function several(users: readonly User[]): Reach {
  const agents = new Set(users.map(({ agent }) => agent));
  const [within] = agents.size === 1 ? agents : [null];
  const labels = users.map(({ agent, tool }) => {
    if (tool === null) return `every tool of ${agent}`;
    return agents.size === 1 || agent === null ? tool : `${tool} of ${agent}`;
  });
  return { kind: 'several', names: labels.slice(0, NAMES_MAX), within: within ?? null };
}

/** A constant of a program that other places refer to is only where the value is written down. */
const PROGRAM = /\.(?:[cm]?[jt]sx?|pyi?)$/;

/** The paths to the value. Blocks and constants that only exist to be referred to count if nothing refers to them. */
function occurrences({ start, file }: Setting, inFile: readonly Setting[]): readonly Setting[] {
  const ways = inFile.filter((one) => one.start === start);
  const isTemplate = ({ steps }: Setting) =>
    TEMPLATE.test(steps[0]?.key ?? '') || (PROGRAM.test(file) && steps.length === 1);
  const used = ways.filter((one) => !isTemplate(one));
  return used.length > 0 ? used : ways;
}

function userOf(setting: Setting, { agent, tool }: Names): User | undefined {
  const { steps } = setting;
  const inSteps = (name: string) => name !== '' && steps.some((step) => isCalled(step, name));
  const inFile = (name: string) =>
    name !== '' && fileNames(setting).some((one) => sameName(one, name));
  const holder = (word: RegExp) => {
    const at = steps.findIndex(({ key }) => word.test(key));
    const next = at < 0 || at + 2 >= steps.length ? undefined : steps[at + 1];
    return next === undefined || EVERYBODY.test(next.key) ? undefined : nameOf(next);
  };
  const heldAgent = holder(/^agents?$/i);
  const heldTool = holder(/^tools?$/i);
  if (heldAgent === null || heldTool === null) return undefined;
  const ofAgent = heldAgent ?? (inSteps(agent) || inFile(agent) ? agent : null);
  const ofTool = inSteps(tool) ? tool : (heldTool ?? (inFile(tool) ? tool : null));
  if (ofAgent !== null || ofTool !== null) return { agent: ofAgent, tool: ofTool };
  const isForAll = steps.length === 1 || steps.some(({ key }) => EVERYBODY.test(key));
  return isForAll ? { agent: null, tool: null } : undefined;
}

/** Null for an item of a list that has no name. */
function nameOf({ key, name }: Step): string | null {
  return name ?? (/^\d+$/.test(key) ? null : key);
}

function fileNames({ file, documentName }: Setting): string[] {
  const parts = file.split('/');
  const stem = parts.pop()!.replace(/\.[A-Za-z]+$/, '');
  return [stem, ...parts, ...(documentName === null ? [] : [documentName])];
}

/** The tools of the file that have no value of their own under this key. */
function inheriting(setting: Setting, inFile: readonly Setting[]): string[] {
  const tools = new Map<string, boolean>();
  for (const { steps } of inFile) {
    const at = steps.findIndex(({ key }) => /^tools?$/i.test(key));
    const next = at < 0 || at + 2 >= steps.length ? undefined : steps[at + 1];
    const name = next === undefined || EVERYBODY.test(next.key) ? null : nameOf(next);
    if (name === null) continue;
    const isOwn = steps.at(-1)!.key === setting.path.at(-1);
    tools.set(name, (tools.get(name) ?? false) || isOwn);
  }
  return [...tools]
    .filter(([, own]) => !own)
    .map(([name]) => name)
    .slice(0, NAMES_MAX);
}
