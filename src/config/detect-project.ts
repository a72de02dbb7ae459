/**
 * Looks at a repository for `hone init`: languages, package managers, test runners, CI, and the
 * files that define agents. Bounded in entries, depth and bytes, breadth first, so that a huge
 * repository costs no more than a middling one; the answer says when it was cut short. The names
 * and contents are somebody else's: nothing of them but known names and paths reaches the result.
 */
import {
  AGENT_FILES,
  AGENT_FOLDERS,
  AGENT_PATHS,
  AGENT_TEXT_FOLDERS,
  CI_OF_PATH,
  IGNORED_FOLDERS,
  LANGUAGE_OF_EXTENSION,
  MCP_PATHS,
  PACKAGE_MANAGER_OF_FILE,
  TEST_RUNNER_OF_DEPENDENCY,
  TEST_RUNNER_OF_FILE,
} from './detect-rules.ts';
import { languageProfileOf } from './language-profile.ts';
import { holdsSecret } from './secrets.ts';
import { mayBeSettings, type SettingsFile } from './settings-file.ts';
import { type RootFiles, testCommandOf } from './test-command.ts';
import type { Detected, ReadOnlyTree, TreeEntry } from './types.ts';

const ENTRIES_MAX = 20_000;
const FOLDER_ENTRIES_MAX = 5_000;
const DEPTH_MAX = 6;
const MANIFEST_BYTES_MAX = 256 * 1024;
const MANIFESTS_MAX = 50;
const AGENT_GLOBS_MAX = 100;

interface Found {
  readonly languages: Set<string>;
  readonly packageManagers: Set<string>;
  readonly testRunners: Set<string>;
  readonly agentFiles: Set<string>;
  readonly packageFiles: string[];
  readonly settingsFiles: SettingsFile[];
  readonly rootNames: Set<string>;
}

export async function detectProject(tree: ReadOnlyTree): Promise<Detected> {
  // With the parsers of every format, which nothing else of this room needs.
  const { agentSettings } = await import('./detect-agents.ts');
  const found: Found = {
    languages: new Set(),
    packageManagers: new Set(),
    testRunners: new Set(),
    agentFiles: new Set(),
    packageFiles: [],
    settingsFiles: [],
    rootNames: new Set(),
  };
  const truncated = walk(tree, found);
  for (const path of found.packageFiles.slice(0, MANIFESTS_MAX)) readPackage(tree, path, found);
  const root: RootFiles = {
    has: (name) => found.rootNames.has(name),
    read: (name) => tree.read(name, MANIFEST_BYTES_MAX),
    packageManagers: found.packageManagers,
    testRunners: found.testRunners,
  };
  const ci = Object.keys(CI_OF_PATH).filter((path) => exists(tree, path));
  for (const path of AGENT_PATHS)
    if (exists(tree, path)) found.agentFiles.add(path.endsWith('/') ? `${path}**` : path);
  for (const glob of agentSettings(tree, found.settingsFiles, [...found.agentFiles])) {
    const steps = glob.split('/').map(globPart);
    // A name that no glob can hold would become a * for everything beside it.
    if (steps.at(-1) !== '*') found.agentFiles.add(steps.join('/'));
  }
  const profile = languageProfileOf(root);
  return {
    languages: sorted(found.languages),
    packageManagers: sorted(found.packageManagers),
    testRunners: sorted(found.testRunners),
    testCommand: testCommandOf(root),
    ...(profile === undefined ? {} : { profile }),
    ci: sorted(ci.flatMap((path) => CI_OF_PATH[path] ?? [])),
    agentFiles: sorted(withoutCovered(found.agentFiles)).slice(0, AGENT_GLOBS_MAX),
    mcpConfigs: MCP_PATHS.filter((path) => exists(tree, path)).toSorted(),
    truncated,
  };
}

/** Answers whether anything was left out. */
function walk(tree: ReadOnlyTree, found: Found): boolean {
  let folders: readonly string[] = [''];
  let left = ENTRIES_MAX;
  let truncated = false;
  for (let depth = 0; folders.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    const next: string[] = [];
    for (const folder of folders) {
      const entries = tree.list(folder, Math.min(left, FOLDER_ENTRIES_MAX));
      left -= entries.length;
      for (const entry of entries) {
        look(found, folder, entry);
        if (isWalked(entry)) next.push(joined(folder, entry.name));
      }
      truncated ||= entries.length >= FOLDER_ENTRIES_MAX;
      if (left <= 0) return true;
    }
    folders = next;
  }
  return truncated;
}

function isWalked({ kind, name }: TreeEntry): boolean {
  return kind === 'folder' && !IGNORED_FOLDERS.has(name) && !AGENT_FOLDERS.has(name);
}

function look(found: Found, folder: string, { kind, name }: TreeEntry): void {
  const isRoot = folder === '';
  const anywhere = isRoot ? name : `**/${name}`;
  if (kind === 'folder') {
    if (AGENT_FOLDERS.has(name)) found.agentFiles.add(`${anywhere}/**`);
    return;
  }
  if (kind === 'other') return;
  // AGENTS.md is often a link to CLAUDE.md; its name is all that counts.
  if (AGENT_FILES.has(name)) found.agentFiles.add(anywhere);
  if (kind === 'link') return;
  if (isRoot) found.rootNames.add(name);
  if (mayBeSettings({ folder, name })) found.settingsFiles.push({ folder, name });
  if (name === 'package.json') found.packageFiles.push(joined(folder, name));
  const language = lookUp(LANGUAGE_OF_EXTENSION, extensionOf(name));
  if (language !== undefined) found.languages.add(language);
  const manager = lookUp(PACKAGE_MANAGER_OF_FILE, name);
  if (manager !== undefined) found.packageManagers.add(manager);
  for (const [pattern, runner] of TEST_RUNNER_OF_FILE)
    if (pattern.test(name)) found.testRunners.add(runner);
  const home = agentTextFolder(folder, name);
  if (home !== undefined) found.agentFiles.add(home);
}

/** `**` in front also covers the root. */
function withoutCovered(globs: ReadonlySet<string>): string[] {
  return [...globs].filter((glob) => !globs.has(`**/${glob}`));
}

/** `src/prompts/**` for `src/prompts/plan/system.md`; of `agents` its texts, for code may lie there too. */
function agentTextFolder(folder: string, name: string): string | undefined {
  const steps = folder.split('/');
  for (const [home, pattern] of AGENT_TEXT_FOLDERS) {
    const at = steps.indexOf(home);
    if (at === -1 || !pattern.test(name)) continue;
    const folders = steps.slice(0, at + 1).map(globStep);
    return [...folders, home === 'agents' ? '**/*.md' : '**'].join('/');
  }
  return undefined;
}

/** A name with signs of its own (`[slug]`), or one that a reader of the file would refuse. */
function globStep(name: string): string {
  return /^[\w.@ -]{1,60}$/.test(name) && !holdsSecret(name) ? name : '*';
}

/** A step that is a pattern of ours already stays. */
function globPart(step: string): string {
  return /^\*\.\w+$/.test(step) ? step : globStep(step);
}

/** A manifest that is no JSON says nothing. */
function readPackage(tree: ReadOnlyTree, path: string, found: Found): void {
  const manifest = parsedObject(tree.read(path, MANIFEST_BYTES_MAX));
  const runners = [manifest['dependencies'], manifest['devDependencies']]
    .flatMap((group) => Object.keys(asObject(group)))
    .flatMap((name) => lookUp(TEST_RUNNER_OF_DEPENDENCY, name) ?? []);
  for (const runner of runners) found.testRunners.add(runner);
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest['packageManager'] ?? ''))?.[1];
  if (declared !== undefined) found.packageManagers.add(declared);
}

/** Step by step, so that a link on the way leads nowhere. A trailing slash means a folder. */
function exists(tree: ReadOnlyTree, path: string): boolean {
  const steps = path.split('/').filter((step) => step !== '');
  return steps.every((name, index) => {
    const isLast = index === steps.length - 1;
    const kind = isLast && !path.endsWith('/') ? 'file' : 'folder';
    return tree
      .list(steps.slice(0, index).join('/'), FOLDER_ENTRIES_MAX)
      .some((entry) => entry.name === name && entry.kind === kind);
  });
}

function parsedObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** `constructor` is a fine name for a file and no entry of the table. */
function lookUp(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].toSorted();
}
