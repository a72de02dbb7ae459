/** The last lines of what a program printed, for a person: sanitised, without control characters, bounded. */
import { mask } from '../../sanitise/index.ts';

const LOOKED_AT_BYTES = 64 * 1024;
const LINES_MAX = 40;
const LINE_CHARS = 240;
/** Colours and movements of a terminal's cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g;

export function lastLines(output: Uint8Array): string[] {
  // More is masked than shown, so that a cut leaves no half secret.
  const tail = Buffer.from(output.subarray(-LOOKED_AT_BYTES)).toString();
  return mask(tail.replace(TERMINAL, ''))
    .text.split('\n')
    .map((line) =>
      line
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .slice(-LINES_MAX)
    .map(
      (line) =>
        `> ${line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS).toWellFormed()}…` : line}`,
    );
}
