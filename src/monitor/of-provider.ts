/**
 * Tools that one provider serves: they share its slots and its quota, whatever the files say, and a call that holds one of its
 * places for longer is missed by whoever calls another. A provider that serves most of at least three tools says nothing: that is
 * the one that serves the models, or the only one there is. Pure.
 */

/** Who serves a tool, as its calls say. */
export interface Served {
  readonly tool: string;
  readonly provider: string;
}

const TOOLS_MIN = 3;

export function toolsOfProvider(tool: string, served: readonly Served[]): string[] {
  const all = new Set(served.map((one) => one.tool));
  const own = new Set(served.filter((one) => one.tool === tool).map(({ provider }) => provider));
  const found = [...own].flatMap((provider) => {
    const tools = served.filter((one) => one.provider === provider).map((one) => one.tool);
    const isMost = all.size < TOOLS_MIN || 2 * new Set(tools).size > all.size;
    return isMost ? [] : tools;
  });
  return [...new Set(found)].filter((one) => one !== tool).sort();
}
