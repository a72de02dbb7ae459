/** A patch that a person names: a file, or `-` for standard input. */
import { readFile } from 'node:fs/promises';
import { errorMessage } from '../base/index.ts';
import { GitError } from '../git/index.ts';
import { absolute } from '../observe/index.ts';
import type { AppContext } from './context.ts';

const DIFF_BYTES_MAX = 32 * 1024 * 1024;

export function givenPatch(
  context: Pick<AppContext, 'cwd' | 'environment'>,
  given: string,
  stdin: AsyncIterable<string>,
): Promise<string> {
  return given === '-' ? all(stdin) : fileText(context, given);
}

async function fileText(
  { cwd, environment }: Pick<AppContext, 'cwd' | 'environment'>,
  file: string,
): Promise<string> {
  return readFile(absolute(file, { cwd, home: environment['HOME'] }), 'utf8').catch(
    (error: unknown) => {
      throw new GitError('bad_change', `${file} cannot be read: ${errorMessage(error)}.`);
    },
  );
}

async function all(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length > DIFF_BYTES_MAX) throw new GitError('too_large', 'The patch is too large.');
  }
  return text;
}
