/** Entries of `observe.sources`: their names, their paths, and how they are added to `hone.yaml`. */
import { realpathSync, statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { composeSections, parseConfig } from '../config/index.ts';
import { addToList } from '../document/index.ts';
import { type Home, writeWholeFile } from '../home/index.ts';
import { honeSections } from '../loop/index.ts';
import type { SourceSettings } from '../observe/index.ts';
import { readFile } from './configuration.ts';
import { type Refusal, usage } from './refusal.ts';
import { withTilde } from './shown-path.ts';

export type SourceEntry = Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Undefined if a source cannot be called so. */
export function sourceName(given: string): string | undefined {
  return NAME.test(given) ? given : undefined;
}

/** From the file's or folder's name, different from those that are taken. */
export function nameFor(path: string, taken: ReadonlySet<string>): string {
  const own = basename(path).replace(/\.(?:jsonl?|log|csv|xml|txt|gz|zst)$/g, '');
  const plain = own.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '');
  const name = plain.slice(0, 50) || 'telemetry';
  if (!taken.has(name)) return name;
  for (let nth = 2; ; nth += 1) if (!taken.has(`${name}-${nth}`)) return `${name}-${nth}`;
}

/** Relative inside the repository, with `~` in the home folder: the file is shared with others. */
export function pathForConfig(
  path: string,
  { root, configDir, isBare }: Home,
  home: string | undefined,
) {
  const isInside = !isBare && (path === root || path.startsWith(`${root}/`));
  return isInside ? relative(configDir, path) || '.' : withTilde(path, home);
}

/** The text of `hone.yaml` with the entry, checked; nothing is written. */
export function withEntry(home: Home, entry: SourceEntry): { readonly text: string } | Refusal {
  const bytes = readFile(home);
  const lines = `observe:\n  sources:\n    - ${JSON.stringify(entry)}`;
  const added = addToList(Buffer.from(bytes).toString(), ['observe', 'sources'], entry);
  if ('declined' in added)
    return usage(`hone.yaml was not changed: ${added.declined} Add this by hand:\n${lines}`);
  const checked = parseConfig(added.text, 'hone.yaml', composeSections(honeSections));
  if (checked.ok) return added;
  const problem = checked.problems[0];
  const where = problem === undefined ? '' : ` (line ${problem.line}: ${problem.message})`;
  return usage(
    `hone.yaml was not changed: it would have a mistake${where}. See "hone config check".`,
  );
}

/** Into the file itself where `hone.yaml` is a link; its permissions stay. */
export function writeEntry(home: Home, entry: SourceEntry): true | Refusal {
  const added = withEntry(home, entry);
  if ('refused' in added) return added;
  const path = realpathSync(home.configFile);
  const mode = statSync(path).mode & 0o777;
  writeWholeFile(path, added.text, { exclusive: false, mode });
  return true;
}

/** The one that reads the same already. */
export function sameEntry(
  sources: readonly SourceSettings[],
  { kind, path }: { readonly kind: string; readonly path: string },
): SourceSettings | undefined {
  return sources.find((one) => one.kind === kind && one['path'] === path);
}
