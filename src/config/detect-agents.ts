/**
 * Finds the settings of agents (YAML, JSON, TOML) for `hone init`: by the folder they lie in and by their structure
 * (`agent-shape.ts`). Each becomes a glob of its folder and extension where every such file there is an agent's, else
 * its own path. Bounded in files and bytes; the content is somebody else's and never reaches the result.
 */
import { posix } from 'node:path';
import { plainValues, readDocument } from '../document/index.ts';
import { definesAgent, type Surroundings } from './agent-shape.ts';
import { SETTINGS_FOLDERS } from './detect-rules.ts';
import type { SettingsFile } from './settings-file.ts';
import type { ReadOnlyTree } from './types.ts';

/** Parsing takes about two seconds for each MiB of the worst text. */
const FILE_BYTES_MAX = 64 * 1024;
const TOTAL_BYTES_MAX = 1024 * 1024;
const FILES_MAX = 1_000;
const VALUES_MAX = 20_000;

/** `files`: all that may be settings, nearest to the root first. `known`: globs that were found already. */
export function agentSettings(
  tree: ReadOnlyTree,
  files: readonly SettingsFile[],
  known: readonly string[],
): string[] {
  const left = { bytes: TOTAL_BYTES_MAX };
  const open = files.filter(
    ({ folder, name }) => !known.some((glob) => posix.matchesGlob(posix.join(folder, name), glob)),
  );
  const taken = open.slice(0, FILES_MAX).filter((file) => isAgentFile(tree, file, left));
  return taken.map((file) => globOf(file, { taken, all: files }));
}

function isAgentFile(tree: ReadOnlyTree, file: SettingsFile, left: { bytes: number }): boolean {
  if (left.bytes <= 0) return false;
  const text = tree.read(posix.join(file.folder, file.name), FILE_BYTES_MAX + 1);
  if (text === undefined) return false;
  left.bytes -= text.length;
  if (text.length > FILE_BYTES_MAX) return false;
  const where = surroundingsOf(file);
  return documentsOf(file.name, text).some((document) => definesAgent(document, where));
}

function surroundingsOf({ folder, name }: SettingsFile): Surroundings {
  const kinds = folder.split('/').flatMap((step) => SETTINGS_FOLDERS.get(step.toLowerCase()) ?? []);
  return kinds.at(-1) ?? (/agent|assistant/i.test(name) ? 'named' : 'anywhere');
}

/** Nothing where the text is not what its name says. */
function documentsOf(name: string, text: string): unknown[] {
  const reading = readDocument(name, text, { valuesMax: VALUES_MAX });
  return reading.ok ? plainValues(reading.document) : [];
}

function globOf(
  file: SettingsFile,
  { taken, all }: { taken: readonly SettingsFile[]; all: readonly SettingsFile[] },
): string {
  const { folder, name } = file;
  const extension = posix.extname(name);
  const isBeside = (other: SettingsFile) =>
    other.folder === folder && posix.extname(other.name) === extension;
  const isWhole = all.filter(isBeside).length === taken.filter(isBeside).length;
  return posix.join(folder, folder !== '' && isWhole ? `*${extension}` : name);
}
