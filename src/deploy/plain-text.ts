/** Text that others wrote (titles, reasons, file names), made fit for a commit message or a sentence. */
import { inert } from '../text/index.ts';

/** One line of a commit's message, without an issue, mention, link or CI command that a forge would obey. */
export function messageLine(text: string, lengthMax = 200): string {
  return plainLine(inert(plainLine(text, lengthMax)), lengthMax);
}

/** One line without control, formatting or bidirectional characters, and at most so long. */
export function plainLine(text: string, lengthMax = 200): string {
  const line = text
    .slice(0, 4 * lengthMax)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1).toWellFormed()}…` : line;
}

/** The first lines that are not empty, each plain. */
export function plainLines(
  text: string,
  { lines, lengthMax }: { lines: number; lengthMax: number },
) {
  return text
    .slice(0, 20_000)
    .split('\n')
    .map((line) => plainLine(line, lengthMax))
    .filter((line) => line !== '')
    .slice(0, lines);
}

/** At most ten names, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => plainLine(name));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** `refs/heads/main` is `main` to people. */
export function branchName(ref: string): string {
  return plainLine(ref.replace(/^refs\/heads\//, ''));
}
