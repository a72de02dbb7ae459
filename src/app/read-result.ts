/** What an agent hands in to be checked: a file, or standard input. */
import { readEvidenceFile } from '../evidence/index.ts';
import { absolute } from '../observe/index.ts';
import type { AppContext } from './context.ts';

const BYTES_MAX = 1_000_000;

export async function readResult(
  { cwd, environment }: Pick<AppContext, 'cwd' | 'environment'>,
  file: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (file !== '-')
    return (await readEvidenceFile(absolute(file, { cwd, home: environment['HOME'] }))).text;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    parts.push(part);
    bytes += part.length;
    if (bytes > BYTES_MAX) break;
  }
  return Buffer.concat(parts).toString().slice(0, BYTES_MAX);
}
