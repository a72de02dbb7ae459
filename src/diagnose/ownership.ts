/**
 * Whose setting it is. A number that fits a failure but belongs to another tool or agent must not be
 * blamed, so a sign of another owner rules it out; without any sign of this agent or tool it has
 * no owner. Names are compared without regard to case and word separators.
 */
import type { Setting, Step } from './types.ts';
import { sameName } from './wording.ts';

/** From weak to strong: it is the agent's for all tools, the tool's for all agents, or both. */
export type Ownership = 'none' | 'agent' | 'tool' | 'both';

/** Names below `tools:` that mean every tool. */
export const EVERYBODY = /^(?:defaults?|all|any|common|shared|\*)$/i;

export function ownershipOf(setting: Setting, agent: string, tool: string): Ownership {
  const folders = setting.file.split('/');
  const file = folders.pop()!.replace(/\.[A-Za-z]+$/, '');
  const { steps, documentName } = setting;
  if (isOthers(setting, [...folders, file], { agent, tool })) return 'none';
  const inSteps = (name: string) => name !== '' && steps.some((step) => isCalled(step, name));
  const inFile = (name: string) =>
    name !== '' &&
    ([file, ...folders].some((part) => sameName(part, name)) ||
      (documentName !== null && sameName(documentName, name)));
  const byAgent = inSteps(agent) || inFile(agent);
  const byTool = inSteps(tool) || inFile(tool);
  if (!byAgent && !byTool) return 'none';
  // A document with another name belongs to others, unless a key inside it names an owner.
  const foreign =
    documentName !== null && !sameName(documentName, agent) && !sameName(documentName, tool);
  if (foreign && !inSteps(agent) && !(inSteps(tool) && byAgent)) return 'none';
  if (tool === '') return 'both';
  if (byAgent && byTool) return 'both';
  return byTool ? 'tool' : 'agent';
}

interface Names {
  readonly agent: string;
  readonly tool: string;
}

/** Below `tools:` or in `tools/` comes the name of a tool; if it is another one, the setting is not ours. */
function isOthers(
  { steps, documentName }: Setting,
  parts: readonly string[],
  { agent, tool }: Names,
): boolean {
  const holders = [
    { holder: /^tools?$/i, name: tool },
    { holder: /^agents?$/i, name: agent },
  ];
  return holders.some(({ holder, name }) => {
    const inSteps = steps.some((step, at) => {
      const next = steps[at + 1];
      // The last step is the setting itself: `tools: { timeout_ms: 800 }` is for every tool.
      if (!holder.test(step.key) || next === undefined || at + 2 === steps.length) return false;
      return !isCalled(next, name) && !EVERYBODY.test(next.key);
    });
    if (inSteps) return true;
    const named = steps.some((step) => isCalled(step, name));
    if (named || (documentName !== null && sameName(documentName, name))) return false;
    const from = parts.findIndex((part) => holder.test(part));
    const below = from < 0 ? [] : parts.slice(from + 1);
    const ours = below.some((part) => sameName(part, name) || EVERYBODY.test(part));
    return below.length > 0 && !ours;
  });
}

export function isCalled(step: Step, name: string): boolean {
  return sameName(step.key, name) || (step.name !== null && sameName(step.name, name));
}
