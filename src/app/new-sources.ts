/** The sources of a new `hone.yaml`: those that somebody named, or said yes to. */
import { addToList } from '../document/index.ts';
import type { Home } from '../home/index.ts';
import { absolute } from '../observe/index.ts';
import { entryOf, findSource } from './add-source.ts';
import type { AppContext } from './context.ts';
import type { NearbyTelemetry } from './nearby-telemetry.ts';
import { isRefusal, type Refusal, usage } from './refusal.ts';
import { shellWord } from './shown-path.ts';
import { nameFor, pathForConfig } from './source-entry.ts';

export interface ChosenSources {
  /** Telemetry to connect at once, as `hone sources add` does. */
  readonly source?: string | undefined;
  /** Asks whoever is there whether to connect telemetry near the repository; absent where nobody is. */
  readonly choose?: ((nearby: NearbyTelemetry) => Promise<boolean>) | undefined;
}

interface Connecting {
  /** The new `hone.yaml`; undefined where there is one. */
  readonly made: string | undefined;
  readonly nearby: readonly NearbyTelemetry[];
  readonly input: ChosenSources;
}

/** A new file is written with the telemetry that was named or chosen; one that exists is left to `hone sources add`. */
export async function withSources(
  context: AppContext,
  home: Home,
  { made, nearby, input }: Connecting,
): Promise<{ readonly text: string | undefined } | Refusal> {
  if (made === undefined) {
    if (input.source === undefined) return { text: undefined };
    return usage(`hone.yaml is there already. Run: hone sources add ${shellWord(input.source)}`);
  }
  const places = input.source === undefined ? [] : [input.source];
  for (const one of nearby)
    if (input.source === undefined && (await input.choose?.(one)) === true)
      places.push(absolute(one.place, { cwd: home.root, home: context.environment['HOME'] }));
  let text = made;
  const taken = new Set<string>();
  for (const place of places) {
    const found = await findSource(context, { place });
    if (isRefusal(found)) return found;
    const name = nameFor(found.path, taken);
    taken.add(name);
    const path = pathForConfig(found.path, home, context.environment['HOME']);
    const added = addToList(text, ['observe', 'sources'], entryOf(found, path, name));
    if ('declined' in added) return { refused: added.declined };
    ({ text } = added);
  }
  return { text };
}
