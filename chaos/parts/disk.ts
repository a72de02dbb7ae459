/**
 * A disk, as far as a power cut is concerned. Written bytes and changed names are only on their way
 * until their file or folder is synced; until then a cut may leave them or not, in any order. Stricter
 * than ext4: syncing a file does not make its name durable, syncing its folder does.
 */
import assert from 'node:assert';
import type { Random } from '../../src/base/index.ts';
import { type Manner, PowerCut } from './power-cut.ts';

type Pending = { readonly order: number } & (
  | { readonly at: number; readonly data: Uint8Array }
  | { readonly size: number }
);

/** A file apart from its name. */
export class DiskFile {
  #area = Buffer.alloc(0);
  #size = 0;
  #pending: Pending[] = [];

  add(pending: Pending): void {
    this.#pending.push(pending);
  }

  sync(): void {
    const end = this.#endMax();
    if (end > this.#area.length) {
      const larger = Buffer.alloc(2 * end);
      this.#area.copy(larger);
      this.#area = larger;
    }
    this.#size = this.#write(this.#area);
    this.#pending = [];
  }

  /** What a cut leaves of it. */
  left(cut: PowerCut): Uint8Array {
    const area = cut.area(this.#endMax());
    this.#area.copy(area, 0, 0, this.#size);
    return area.subarray(0, this.#write(area, cut));
  }

  get oldest(): number {
    return this.#pending[0]?.order ?? Number.POSITIVE_INFINITY;
  }

  /** Writes what arrives over what is durable; returns the file's size afterwards. */
  #write(area: Buffer, cut?: PowerCut): number {
    let size = this.#size;
    for (const pending of this.#pending) {
      if ('size' in pending) {
        if (cut?.arrives(pending.order) === false) continue;
        area.fill(0, pending.size);
        size = pending.size;
        continue;
      }
      const { order, at, data } = pending;
      for (const { from, to } of cut?.pieces(order, at, data.length) ?? [
        { from: 0, to: data.length },
      ]) {
        area.set(data.subarray(from, to), at + from);
        size = Math.max(size, at + to);
      }
    }
    return size;
  }

  #endMax(): number {
    return this.#pending.reduce(
      (end, pending) =>
        Math.max(end, 'size' in pending ? pending.size : pending.at + pending.data.length),
      this.#size,
    );
  }
}

type DiskNode = DiskFile | DiskFolder;

export class DiskFolder {
  readonly now = new Map<string, DiskNode>();
  #durable: ReadonlyMap<string, DiskNode> = new Map();
  #pending: { readonly order: number; readonly name: string; readonly node?: DiskNode }[] = [];

  change(order: number, name: string, node: DiskNode | undefined): void {
    if (node === undefined) {
      this.#pending.push({ order, name });
      this.now.delete(name);
    } else {
      this.#pending.push({ order, name, node });
      this.now.set(name, node);
    }
  }

  sync(): void {
    this.#durable = new Map(this.now);
    this.#pending = [];
  }

  /** What a cut leaves below it, by path. */
  left(cut: PowerCut, prefix: string, image: Map<string, Uint8Array>): void {
    for (const [name, node] of this.#namesLeft(cut)) {
      if (node instanceof DiskFolder) node.left(cut, `${prefix}${name}/`, image);
      else image.set(prefix + name, node.left(cut));
    }
  }

  /** The oldest call, here or below, that may not have arrived. */
  get oldest(): number {
    const below = [...this.#durable.values(), ...this.#pending.map(({ node }) => node)];
    return Math.min(
      this.#pending[0]?.order ?? Number.POSITIVE_INFINITY,
      ...below.map((node) => node?.oldest ?? Number.POSITIVE_INFINITY),
    );
  }

  #namesLeft(cut: PowerCut): Map<string, DiskNode> {
    const names = new Map(this.#durable);
    for (const [name, changes] of Map.groupBy(this.#pending, (change) => change.name)) {
      const arrived = cut.names(changes.map(({ order }) => order));
      if (arrived === 0) continue;
      const { node } = changes[arrived - 1]!;
      if (node === undefined) names.delete(name);
      else names.set(name, node);
    }
    return names;
  }
}

/** Files by their paths below the disk's root. */
export type Image = ReadonlyMap<string, Uint8Array>;

/** Paths are relative to the root, which is `''` and durable from the beginning. */
export class Disk {
  readonly #root = new DiskFolder();
  /** Counts the calls that change something. */
  #order = 0;

  /** What has that name now. */
  find(path: string): DiskNode | undefined {
    if (path === '') return this.#root;
    const { folder, name } = this.#place(path);
    return folder.now.get(name);
  }

  makeFile(path: string): DiskFile {
    const file = new DiskFile();
    this.#change(path, file);
    return file;
  }

  makeFolder(path: string): void {
    this.#change(path, new DiskFolder());
  }

  unlink(path: string): void {
    this.#change(path, undefined);
  }

  write(file: DiskFile, at: number, data: Uint8Array): void {
    file.add({ order: this.#order++, at, data });
  }

  truncate(file: DiskFile, size: number): void {
    file.add({ order: this.#order++, size });
  }

  /** A disk that could be found when the power comes back. */
  cut(manner: Manner, random: Random): Image {
    const orders = { from: Math.min(this.#root.oldest, this.#order), to: this.#order };
    const image = new Map<string, Uint8Array>();
    this.#root.left(new PowerCut(manner, random, orders), '', image);
    return image;
  }

  #change(path: string, node: DiskNode | undefined): void {
    const { folder, name } = this.#place(path);
    folder.change(this.#order++, name, node);
  }

  #place(path: string): { folder: DiskFolder; name: string } {
    const at = path.lastIndexOf('/');
    const folder = this.find(path.slice(0, Math.max(at, 0)));
    assert(folder instanceof DiskFolder, `the folder of ${path} is not there`);
    return { folder, name: path.slice(at + 1) };
  }
}
