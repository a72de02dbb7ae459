/**
 * The values in the target's agent files. Files, their names and their content are
 * attacker-controlled: everything is bounded, and what cannot be read becomes a sentence.
 */
import { posix } from 'node:path';
import { errorMessage } from '../base/index.ts';
import { decodeText, formatOf } from '../document/index.ts';
import type { CommitId, TargetRepository, TreeFile } from '../git/index.ts';
import { type Words, wordsOfFile } from './references.ts';
import { settingsOf } from './settings-of.ts';
import type { Setting, SettingsReading } from './types.ts';
import { shown } from './wording.ts';

const FILE_BYTES_MAX = 1024 * 1024;
/** Parsing takes about two seconds for each MiB of the worst text. */
const TOTAL_BYTES_MAX = 8 * 1024 * 1024;
const FILES_MAX = 500;
const SETTINGS_MAX = 50_000;
const NAME_CHARS_MAX = 400;
const PROBLEMS_MAX = 100;

export async function readSettings(
  repository: Pick<TargetRepository, 'listFiles' | 'readFile'>,
  commit: CommitId,
  globs: readonly string[],
): Promise<SettingsReading> {
  const settings: Setting[] = [];
  const problems: string[] = [];
  const words = new Map<string, Words>();
  const matched = matching(await repository.listFiles(commit, ''), globs);
  const seen = { ...matched.seen, filesRead: 0 };
  let left = TOTAL_BYTES_MAX;
  for (const file of readable(matched.files, problems)) {
    left -= file.sizeBytes;
    if (left < 0) {
      problems.push(
        `The agent files are larger than ${TOTAL_BYTES_MAX} bytes: the rest was not read.`,
      );
      break;
    }
    const read = await readFile(repository, commit, file, problems);
    if (read === undefined) continue;
    const { found } = read;
    words.set(file.path, wordsOfFile(read.text));
    const isProse = formatOf(file.path)!.isProse;
    // A text without values has nothing to tune.
    if (isProse && found.length === 0) continue;
    if (isProse) seen.settingsFiles += 1;
    seen.filesRead += 1;
    settings.push(...found.slice(0, SETTINGS_MAX - settings.length));
    if (settings.length < SETTINGS_MAX) continue;
    problems.push(`The agent files have ${SETTINGS_MAX} values or more: the rest was not read.`);
    break;
  }
  const { texts } = matched;
  return { settings, problems: problems.slice(0, PROBLEMS_MAX), seen, texts, words };
}

/** The files that may hold settings, and how many there are of which kind. */
function matching(files: readonly TreeFile[], globs: readonly string[]) {
  const empty = new Set(globs);
  const matched = files.filter(({ path, kind }) => {
    if (kind !== 'file' && kind !== 'executable') return false;
    const by = globs.filter((glob) => posix.matchesGlob(path, glob));
    for (const glob of by) empty.delete(glob);
    return by.length > 0;
  });
  const formatted = matched.filter(({ path }) => formatOf(path) !== undefined);
  const [prose, wanted] = [true, false].map((isProse) =>
    formatted.filter(({ path }) => formatOf(path)!.isProse === isProse),
  ) as [TreeFile[], TreeFile[]];
  const seen = {
    globs: globs.length,
    emptyGlobs: [...empty],
    files: matched.length,
    settingsFiles: wanted.length,
  };
  // Texts are long and have few values: they do not count towards the limit.
  const texts = prose.map(({ path }) => path).filter((path) => refusalOf(path, 0) === undefined);
  return { files: [...wanted, ...prose], seen, texts: texts.slice(0, FILES_MAX) };
}

function readable(wanted: readonly TreeFile[], problems: string[]): readonly TreeFile[] {
  const named = wanted.filter(({ path, sizeBytes }) => {
    const why = refusalOf(path, sizeBytes);
    if (why !== undefined) problems.push(`The file ${shown(path)} was not read: it ${why}.`);
    return why === undefined;
  });
  if (named.length > FILES_MAX)
    problems.push(`Of ${named.length} agent files the first ${FILES_MAX} were read.`);
  return named.slice(0, FILES_MAX);
}

function refusalOf(path: string, sizeBytes: number): string | undefined {
  if (path.length > NAME_CHARS_MAX) return `has a name of more than ${NAME_CHARS_MAX} characters`;
  // In a proposal such a name could not be told from another.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(path)) return 'has invisible characters in its name';
  if (sizeBytes > FILE_BYTES_MAX) return `is larger than ${FILE_BYTES_MAX} bytes`;
  return undefined;
}

async function readFile(
  repository: Pick<TargetRepository, 'readFile'>,
  commit: CommitId,
  { path }: TreeFile,
  problems: string[],
): Promise<{ readonly found: readonly Setting[]; readonly text: string } | undefined> {
  const refuse = (why: string): undefined => {
    problems.push(`The file ${shown(path)} was not read: ${why}.`);
  };
  let bytes: Uint8Array | undefined;
  try {
    bytes = await repository.readFile(commit, path);
  } catch (error) {
    return refuse(`it cannot be read (${shown(errorMessage(error))})`);
  }
  if (bytes === undefined) return refuse('it is missing');
  if (bytes.length > FILE_BYTES_MAX) return refuse(`it is larger than ${FILE_BYTES_MAX} bytes`);
  const text = decodeText(bytes);
  if (text === undefined) return refuse('it is not UTF-8 text');
  const found = settingsOf(path, text);
  return 'refused' in found ? refuse(found.refused) : { found: found.settings, text };
}
