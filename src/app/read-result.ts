/** What an agent hands in to be checked: a file, or standard input. */
import { EvidenceError, readEvidenceFile } from '../evidence/index.ts';
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
    // Cut off, what an agent says behind the end would never be checked.
    if (bytes > BYTES_MAX)
      throw new EvidenceError(
        'bad_file',
        `Standard input has more than ${BYTES_MAX} bytes. Hand in less, or in several parts.`,
      );
  }
  return Buffer.concat(parts).toString();
}
