/** What a value's reach means for a proposal: its wording and its minimum risk. */
import type { Pattern, Reach, Risk } from '../facts/index.ts';
import { quotedName } from '../text/index.ts';
import { titleName } from './title-name.ts';

const NAMED_MAX = 6;

type Owner = Pick<Pattern, 'agent' | 'tool'>;

/** Who the title names: `web_search`, `web_search and 3 more`, `every tool of researcher`. */
export function ownerText(reach: Reach, { agent, tool }: Owner): string {
  const failing = tool === '' ? titleName(agent, 'an agent') : titleName(tool, 'a tool');
  if (reach.kind === 'one') return failing;
  if (reach.kind === 'unknown') return `${failing} and whoever else uses it`;
  if (reach.kind === 'all') return everyTool(reach, (name) => titleName(name, 'an agent'));
  const others = reach.names.filter((name) => name !== tool && name !== agent);
  const isNamed = others.length < reach.names.length;
  if (others.length === 1) return `${failing} and ${titleName(others[0]!, 'another')}`;
  return `${failing} and ${reach.names.length - (isNamed ? 1 : 0)} more`;
}

/** A sentence for people; it goes on after "It is one value in one file, ". */
export function reachText(reach: Reach, owner: Owner): string {
  const names = namesText(reach.names);
  switch (reach.kind) {
    case 'one':
      return `and only ${ownerText(reach, owner)} uses it`;
    case 'several':
      return `but it applies to ${names}`;
    case 'all': {
      const known = names === '' ? '' : `, such as ${names}`;
      return `but it applies to ${everyTool(reach, quotedName)} that has no value of its own${known}`;
    }
    case 'unknown':
      return 'but the file does not say who else uses it, so it may apply to everything';
  }
}

/** The wider a value reaches, the more can go wrong that no replay of one tool shows. */
export function leastRisk({ kind, within }: Reach): Risk {
  if (kind === 'one') return 'low';
  if (kind === 'unknown') return 'high';
  return kind === 'all' && within === null ? 'high' : 'medium';
}

function everyTool({ within }: Reach, named: (name: string) => string): string {
  return within === null ? 'every tool' : `every tool of ${named(within)}`;
}

function namesText(names: readonly string[]): string {
  const told = names.slice(0, NAMED_MAX).map((name) => quotedName(name));
  const left = names.length - told.length;
  return left > 0 ? `${told.join(', ')} and ${left} more` : told.join(', ');
}
