/** The target's files for generators: read at one commit, with one value replaced. Nothing is written. */
import type { SettingSubject, SettingValue } from '../facts/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import type { Declined, TargetFiles, ValueEdit } from './types.ts';
import { shown, valueText } from './wording.ts';
import { findNumber, replaceNumber } from './yaml-edit.ts';

const FILE_BYTES_MAX = 1024 * 1024;

export function targetFiles(
  repository: Pick<TargetRepository, 'readFile'>,
  head: CommitId,
): TargetFiles {
  const readText = async (path: string) => {
    const bytes = await repository.readFile(head, path);
    return bytes === undefined || bytes.length > FILE_BYTES_MAX ? undefined : textOf(bytes);
  };
  return {
    readText,
    setValue: async (setting, to) => setValue(setting, to, await readText(setting.file)),
  };
}

function setValue(
  setting: SettingSubject,
  to: SettingValue,
  text: string | undefined,
): ValueEdit | Declined {
  const { file, path, line, value } = setting;
  const where = `${shown(file)}, line ${line}`;
  if (typeof value === 'string' || typeof to === 'string')
    return { declined: `Only numbers, true and false can be changed (${where}).` };
  const found = text === undefined ? undefined : findNumber(text, { path, line, value });
  if (text === undefined || found === undefined)
    return {
      declined: `The target's head no longer has ${valueText(value)} at ${shown(path.join('.'))} (${where}).`,
    };
  const next = replaceNumber(text, found, to);
  if (next === undefined)
    return { declined: `The value cannot be changed without changing something else (${where}).` };
  const edit = { path: file, content: Buffer.from(next) };
  return { edit, line: found.line, aliases: found.aliases };
}

/** A byte order mark is kept: it is one of the bytes that stay. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
