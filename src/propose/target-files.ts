/** The target's files for generators: read at one commit, with one value replaced. Nothing is written. */
import {
  type Document,
  type DocumentValue,
  decodeText,
  readDocument,
  replaceValue,
} from '../document/index.ts';
import type { SettingSubject, SettingValue } from '../facts/index.ts';
import { type CommitId, GitError, type TargetRepository } from '../git/index.ts';
import type { Declined, TargetFiles, ValueEdit } from './types.ts';
import { shown, valueText } from './wording.ts';

const FILE_BYTES_MAX = 1024 * 1024;

export function targetFiles(
  repository: Pick<TargetRepository, 'readFile'>,
  head: CommitId,
): TargetFiles {
  const readText = async (path: string) => {
    const bytes = await repository.readFile(head, path);
    return bytes === undefined || bytes.length > FILE_BYTES_MAX ? undefined : decodeText(bytes);
  };
  const readTextAt = async (commit: string, path: string) => {
    try {
      const bytes = await repository.readFile(commit as CommitId, path);
      return bytes === undefined || bytes.length > FILE_BYTES_MAX ? undefined : decodeText(bytes);
    } catch (error) {
      // A shallow clone may not have it any more.
      if (error instanceof GitError) return undefined;
      throw error;
    }
  };
  return {
    readText,
    readTextAt,
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
  const reading = text === undefined ? undefined : readDocument(file, text);
  const found = reading?.ok === true ? findValue(reading.document, setting) : undefined;
  if (reading?.ok !== true || found === undefined)
    return {
      declined: `The target's head no longer has ${valueText(value)} at ${shown(path.join('.'))} (${where}).`,
    };
  const shared = reading.document.places.filter((place) => place.value === found);
  const other = shared.find(({ steps }) => steps.at(-1)?.key !== path.at(-1));
  if (other !== undefined) {
    const key = shown(other.steps.map((step) => step.key).join('.'));
    return { declined: `${key} uses the same value and is another setting (${where}).` };
  }
  const replaced = replaceValue(reading.document, found, to);
  if ('declined' in replaced) return { declined: `${replaced.declined.slice(0, -1)} (${where}).` };
  return {
    edit: { path: file, content: Buffer.from(replaced.document.text) },
    line: found.line,
    before: found.text,
    after: replaced.value.text,
    aliases: shared.length - 1,
  };
}

/** Equal paths in several documents are distinguished by their line. */
function findValue(
  { values }: Document,
  { path, line, value }: SettingSubject,
): DocumentValue | undefined {
  const found = values.filter(
    (one) =>
      (one.value === value || one.quantity?.amount === value) &&
      one.path.length === path.length &&
      one.path.every((key, at) => key === path[at]),
  );
  return found.length === 1 ? found[0] : found.find((one) => one.line === line);
}
