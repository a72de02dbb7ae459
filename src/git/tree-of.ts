/** The tree of a flat list of files, as git would write and name it. */
import type { Files } from './changes.ts';
import { type ObjectFormat, objectId, type TreeEntry, treeBytes } from './objects.ts';

interface Folder {
  readonly entries: TreeEntry[];
  readonly folders: Map<string, Folder>;
}

/** Its id; `keep` gets every tree on the way, the root last. */
export function treeOf(
  files: Files,
  format: ObjectFormat,
  keep: (body: Buffer) => void = () => {},
): string {
  const write = (folder: Folder): string => {
    const inner = [...folder.folders].map(
      ([name, one]) => ({ mode: '40000', name, id: write(one) }) as const,
    );
    const body = treeBytes([...folder.entries, ...inner]);
    keep(body);
    return objectId(format, 'tree', body);
  };
  return write(foldersOf(files));
}

function foldersOf(files: Files): Folder {
  const root: Folder = { entries: [], folders: new Map() };
  for (const [path, entry] of files) {
    const parts = path.split('/');
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      const next = folder.folders.get(part) ?? { entries: [], folders: new Map() };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.entries.push({ ...entry, name: parts.at(-1)! });
  }
  return root;
}
