/**
 * The middle of a private key. A hunk shows a few lines around a change, and a line of telemetry is alone, so a
 * key's first and last line may be missing, and then nothing names it. Lines that are base64 and nothing else, one
 * of them long and random, are taken for one. So are certificates: in both places hiding too much costs little.
 */
import { isChance } from './shapes.ts';
import type { Span } from './types.ts';

/** PEM writes 64 signs to a line, OpenSSH 70; YAML indents them, code quotes them. */
export const KEY_LINE_MIN = 40;
const BODY = /^[\s"'`>|]*([A-Za-z0-9+/]+={0,2})(?:\\n)?["'`,;+\s\\]*$/;
const LAST_LINE = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** `isBody`: whether a line of base64 is surely one of a key, and so are those around it. */
export function keyLines(
  text: string,
  isBody = (body: string) => body.length >= KEY_LINE_MIN && isChance(body),
): Span[] {
  const spans: Span[] = [];
  let run: { start: number; isKey: boolean } | undefined;
  let start = 0;
  const close = (end: number) => {
    if (run?.isKey === true)
      spans.push({ kind: 'private_key', start: run.start, end, mark: '[REDACTED:PRIVATE_KEY]' });
    run = undefined;
  };
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const body = line.length > 2000 ? undefined : BODY.exec(line)?.[1];
    if (body !== undefined) {
      run ??= { start, isKey: false };
      run.isKey ||= isBody(body);
    } else {
      if (run !== undefined && LAST_LINE.test(line)) run.isKey = true;
      close(start - 1);
    }
    start = end + 1;
  }
  close(text.length);
  return spans;
}
