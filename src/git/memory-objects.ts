/** Objects in a map, by the ids that git would give them, and trees as flat lists of files. */
import type { Files } from './changes.ts';
import { GitError } from './errors.ts';
import {
  type Entry,
  isId,
  type ObjectFormat,
  type ObjectType,
  objectId,
  parseTree,
} from './objects.ts';
import { treeOf } from './tree-of.ts';

export class MemoryObjects {
  readonly format: ObjectFormat;
  readonly #objects = new Map<string, { readonly type: ObjectType; readonly body: Buffer }>();
  readonly #files = new Map<string, Files>();

  constructor(format: ObjectFormat = 'sha1') {
    this.format = format;
    this.put('tree', Buffer.alloc(0));
  }

  put(type: ObjectType, body: Uint8Array): string {
    const id = objectId(this.format, type, body);
    if (!this.#objects.has(id)) this.#objects.set(id, { type, body: Buffer.from(body) });
    return id;
  }

  find(type: ObjectType, id: string): Buffer | undefined {
    const found = this.#objects.get(id);
    return found?.type === type ? found.body : undefined;
  }

  get(type: ObjectType, id: string): Buffer {
    const body = isId(id, this.format) ? this.find(type, id) : undefined;
    if (body !== undefined) return body;
    const code =
      type === 'commit' ? 'unknown_commit' : type === 'tree' ? 'unknown_tree' : 'object_missing';
    throw new GitError(code, `There is no ${type} ${id.slice(0, 64)} in this repository.`);
  }

  /** Kept by id: a tree never changes, and simulations read the same ones again and again. */
  filesOf(tree: string): Files {
    const known = this.#files.get(tree);
    if (known !== undefined) return known;
    const files = new Map<string, Entry>();
    const walk = (id: string, prefix: string) => {
      for (const entry of parseTree(this.get('tree', id), this.format)) {
        const { mode } = entry;
        if (mode === '40000') walk(entry.id, `${prefix}${entry.name}/`);
        else files.set(prefix + entry.name, { mode, id: entry.id });
      }
    };
    walk(tree, '');
    this.#files.set(tree, files);
    return files;
  }

  putFiles(files: Files): string {
    const tree = treeOf(files, this.format, (body) => this.put('tree', body));
    this.#files.set(tree, files);
    return tree;
  }
}
