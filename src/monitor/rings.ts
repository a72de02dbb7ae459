/**
 * How near each agent's calls of a tool are to a change. A pure function of who calls what.
 *
 * | ring | what is in it |
 * |---|---|
 * | 0 | what the changed value applies to |
 * | 1 | everybody who calls a changed tool; the changed agents' other tools; the tools called after a changed one in its tasks, and those that fail together with it, with all who call them |
 * | 2 | the other tools and agents of ring 1 |
 * | 3 | the rest: nothing of the change gets there, so it is the comparison |
 */
import type { Reach } from '../facts/index.ts';

export type Ring = 0 | 1 | 2 | 3;

/** What a change is at. Null: every one of them. */
export interface Footing {
  readonly agents: readonly string[] | null;
  readonly tools: readonly string[] | null;
  /** Tools that are called after a changed one in its tasks: more success before them is more load for them. */
  readonly after: readonly string[];
  /** Tools that fail together with a changed one, so that they share something (`moves-together.ts`). */
  readonly sharing?: readonly string[] | undefined;
  /** The tools whose calls hold what is shared; where it is not said, those that it is at. */
  readonly holding?: readonly string[] | undefined;
  /** Where it is at everything only because nothing denies it: the place whose failures it answers, at which it surely is. */
  readonly answers?: Place | undefined;
}

export interface Place {
  readonly agent: string;
  readonly tool: string;
}

/** What the changed value applies to, as its file says; where that is unknown, everything of the agent. */
export function footingOf(
  reach: Reach | null,
  { agent, tool }: { readonly agent: string | undefined; readonly tool: string | undefined },
  { after, sharing }: Pick<Footing, 'after' | 'sharing'>,
): Footing {
  const own = agent === undefined || agent === '' ? null : [agent];
  const narrow = tool === undefined || tool === '' ? null : [tool];
  const isSharing = sharing !== undefined && sharing.length > 0;
  const also = isSharing ? { after, sharing, ...(narrow && { holding: narrow }) } : { after };
  switch (reach?.kind) {
    case 'one':
      return { agents: own, tools: narrow, ...also };
    case 'several':
    case 'all': {
      if (reach.within !== null) return { agents: own, tools: null, ...also };
      if (reach.kind === 'several') return { agents: null, tools: narrow, ...also };
      const answers = agent && tool ? { agent, tool } : undefined;
      return { agents: null, tools: null, ...also, ...(answers && { answers }) };
    }
    default:
      return { agents: own, tools: null, ...also };
  }
}

/** Rings of these places, in their order. */
export function ringsOf(
  places: readonly Place[],
  { agents, tools, after, sharing = [] }: Footing,
): Ring[] {
  const isOwn = ({ agent, tool }: Place) =>
    (agents === null || agents.includes(agent)) && (tools === null || tools.includes(tool));
  const own = places.filter(isOwn);
  const ownAgents = new Set(own.map(({ agent }) => agent));
  const reachedTools = new Set([
    ...own.map(({ tool }) => tool),
    ...(tools ?? []),
    ...after,
    ...sharing,
  ]);
  const isNear = ({ agent, tool }: Place) => ownAgents.has(agent) || reachedTools.has(tool);
  const near = places.filter(isNear);
  const nearAgents = new Set(near.map(({ agent }) => agent));
  const nearTools = new Set(near.map(({ tool }) => tool));
  return places.map((place) => {
    if (isOwn(place)) return 0;
    if (isNear(place)) return 1;
    return nearAgents.has(place.agent) || nearTools.has(place.tool) ? 2 : 3;
  });
}

/** Whether two changes may do harm at the same place: they share an agent, or a tool that one of them is at or leads to. */
export function isOverlapping(one: Footing, other: Footing): boolean {
  const share = (a: readonly string[] | null, b: readonly string[] | null) =>
    a === null || b === null || a.some((name) => b.includes(name));
  return share(one.agents, other.agents) || share(toolsReached(one), toolsReached(other));
}

/** The tools that it is at, leads to or shares something with; null for every one. */
export function toolsReached({ tools, after, sharing = [] }: Footing): readonly string[] | null {
  return tools === null ? null : [...tools, ...after, ...sharing];
}
