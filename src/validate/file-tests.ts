/** Policy tests on the files themselves: where they are, what kind they are, what they hide. */
import { shownPath } from '../git/index.ts';
import {
  globsFor,
  HONE_PATHS,
  isSpelledOut,
  matchingPath,
  matchingPaths,
} from '../policy/index.ts';
import { type FindingKind, normalise } from '../text/index.ts';
import { addedLines } from './added-lines.ts';
import { CLIENT_PATHS, USUAL_NAMES } from './config-section.ts';
import { isMeasured } from './number-changes.ts';
import type { PolicyContext } from './policy-context.ts';
import { structureChanges } from './structure-changes.ts';
import type { TouchedFile } from './types.ts';

/** Hone's own files are forbidden, whatever is configured. */
export function forbiddenPathReasons(file: TouchedFile, context: PolicyContext): string[] {
  const { path } = file;
  const { patterns, declared } = forbiddenBy(file, context);
  const pattern = patterns.find((one) => !declared.includes(one));
  if (pattern !== undefined) {
    const way = USUAL_NAMES.has(pattern)
      ? ' If it is an agent’s file, name it in target.agentFiles.'
      : '';
    return [`${shownPath(path)} may not be touched: it is one of ${shownPath(pattern)}.${way}`];
  }
  // Windows makes such names by itself: HONE~1.YAM opens hone.yaml.
  const short = path.split('/').some((name) => /^[^.]{1,6}~\d(?:\.|$)/.test(name));
  return short ? [`${shownPath(path)} may open another file by its short name.`] : [];
}

/** Forbidden by the name that such files usually have, but declared by that very name, or only tuned: a person decides. */
export function declaredPathAsks(file: TouchedFile, context: PolicyContext): string[] {
  const { patterns, declared } = forbiddenBy(file, context);
  if (patterns.length === 0 || declared.length < patterns.length) return [];
  const but = isTuned(file) ? 'only numbers in it change' : 'it is declared as an agent’s file';
  return [
    `${shownPath(file.path)} is one of ${shownPath(patterns[0]!)}, which no change may touch, but ${but}: a person decides.`,
  ];
}

function forbiddenBy(file: TouchedFile, { forbiddenPaths, agentFiles }: PolicyContext) {
  const { path } = file;
  const patterns = [
    ...new Set([...matchingPaths(path, HONE_PATHS), ...matchingPaths(path, forbiddenPaths)]),
    ...(isCompose(file) ? [COMPOSE] : []),
  ];
  if (patterns.length === 0) return { patterns, declared: [] };
  const globs = globsFor(path, agentFiles);
  const declared = patterns.filter(
    (one) =>
      (USUAL_NAMES.has(one) && isSpelledOut(one, globs)) ||
      (CLIENT_PATHS.includes(one) && isTuned(file)),
  );
  // Whatever its folder is called, Hone reads these as policies.
  return { patterns, declared: /\.cedar$/i.test(path) ? [] : declared };
}

/** `compose-prod.yaml` starts services by what is in it; `compose-music.yaml` may be an agent. */
const COMPOSE = 'compose*.y*ml';

function isCompose({ path, before, after }: TouchedFile): boolean {
  if (matchingPath(path, [COMPOSE]) === undefined) return false;
  return [before, after].some(
    (side) =>
      side?.structure?.ok === true &&
      [...side.structure.leaves.values()].some(
        (leaf) => leaf.path[0] === 'services' && /^(?:image|build)$/.test(leaf.path[2] ?? ''),
      ),
  );
}

/** Time limits and the like, in a file that says by its values what it permits. */
function isTuned(file: TouchedFile): boolean {
  const compared = structureChanges(file);
  if (compared?.ok !== true || compared.changes.length === 0) return false;
  return compared.changes.every(isMeasured);
}

/** Links, submodules and binaries do not get this far: no patch with them is read. */
export function plainFileReasons({ path, patch }: TouchedFile): string[] {
  const { action, oldMode, newMode } = patch;
  if (action === 'create' && newMode === '100755')
    return [`${shownPath(path)} would be a new executable file.`];
  if (action === 'change' && oldMode !== newMode)
    return [`${shownPath(path)} would change its mode from ${oldMode} to ${newMode}.`];
  return [];
}

/** Made to be read as something else. Encodings and odd spellings are for vetting and for people. */
const HIDING: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'zero_width',
  'bidi_control',
  'tag_characters',
  'variation_selector',
  'blank_character',
  'control_character',
  'terminal_sequence',
  'pushed_text',
  'invalid_sequence',
  'mixed_script',
  'lookalike_word',
  'limit_reached',
]);

export function hiddenReasons({ path, patch }: TouchedFile): string[] {
  const lines = addedLines(patch);
  let [index, end] = [-1, 0];
  return [
    ...findingsOf(path).map(({ message }) => `${shownPath(path)}: in its name: ${message}`),
    ...findingsOf(lines.map(({ text }) => text).join('\n')).map(({ start, message }) => {
      while (index < 0 || (start >= end && index < lines.length - 1))
        end += lines[++index]!.text.length + 1;
      return `${shownPath(path)}, line ${lines[index]!.number}: ${message}`;
    }),
  ];
}

/**
 * No reader sees them, and none of them is needed in a file that defines agents: lines that no editor shows as such and
 * some parsers end a line at, soft hyphens, and the isolates that turn text round even where they are balanced.
 */
const UNSEEN = /[\u00ad\u0085\u2028\u2029\u2066-\u2069]/g;

function findingsOf(text: string) {
  const lines = [...text.matchAll(UNSEEN)].map(({ 0: sign, index }) => ({
    start: index,
    message: `a character that no reader sees (U+${sign.charCodeAt(0).toString(16).padStart(4, '0')})`,
  }));
  const hidden = normalise(text).findings.filter(
    ({ kind, severity }) => severity !== 'info' && HIDING.has(kind),
  );
  return [...hidden, ...lines].toSorted((one, other) => one.start - other.start);
}
