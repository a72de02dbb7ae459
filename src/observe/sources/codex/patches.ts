/** The edits in a patch as Codex writes it: of each file the lines that go and those that come. */

export interface PatchedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const BEGIN = '*** Begin Patch';
const FILE = /^\*\*\* (?:Update|Add|Delete) File: (.{1,1000})$/;
const LINES_MAX = 4000;
const FILES_MAX = 20;

export function patchedFiles(text: string): readonly PatchedFile[] {
  const from = text.indexOf(BEGIN);
  if (from === -1) return [];
  const files: { file: string; before: string[]; after: string[] }[] = [];
  for (const line of text.slice(from, from + 400_000).split('\n', LINES_MAX)) {
    const file = FILE.exec(line)?.[1];
    if (file !== undefined) {
      if (files.length >= FILES_MAX) break;
      files.push({ file, before: [], after: [] });
    } else if (line.startsWith('-')) files.at(-1)?.before.push(line.slice(1));
    else if (line.startsWith('+')) files.at(-1)?.after.push(line.slice(1));
  }
  return files.map(({ file, before, after }) => ({
    file,
    before: before.join('\n'),
    after: after.join('\n'),
  }));
}
