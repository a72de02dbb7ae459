/**
 * Which names in a folder are telemetry by their extension, what rotation made of them, and in which order they are
 * read. Of `jsonl` these are `a.jsonl` and what it is rotated to: `a.jsonl.1`, `a.jsonl-20260302`, `a.jsonl.old`; also
 * compressed as `.gz` or `.zst`.
 */
export class FileNames {
  readonly #telemetry: RegExp;
  readonly #unreadable: RegExp;
  readonly #rotated: RegExp;
  readonly #parts: RegExp;

  /** Without their dot: letters and digits. */
  constructor(extensions: readonly string[]) {
    const end = `\\.(?:${extensions.join('|')})`;
    this.#telemetry = new RegExp(`${end}(?:[.-]\\d[\\dT_.:-]{0,30}|\\.old)?(?:\\.(?:gz|zst))?$`);
    this.#unreadable = new RegExp(`${end}(?:[.-][\\w.-]{1,40})?\\.(?:bz2|xz|lz4|zip|Z)$`);
    this.#rotated = new RegExp(`${end}(?:[.-][\\w.-]{1,40})?$`);
    this.#parts = new RegExp(`^(.*${end})(.*)$`);
  }

  isTelemetry(name: string): boolean {
    return this.#telemetry.test(name);
  }

  /** Whether it is telemetry that was compressed in a way that Hone does not read. */
  isUnreadable(name: string): boolean {
    return this.#unreadable.test(name);
  }

  /** The log's own name: `a.jsonl` for `a.jsonl.1.gz`. */
  unrotated(name: string): string {
    return (this.#telemetry.test(name) ? this.#parts.exec(name)?.[1] : undefined) ?? name;
  }

  /** Whether a file beside a source's one file is what it was rotated to. */
  isRotatedFrom(name: string, sourceName: string): boolean {
    return name !== sourceName && this.stemOf(name) === this.stemOf(sourceName);
  }

  /** The name of a log without what rotation adds: `a` for a.jsonl, a.jsonl.1, a-2026-03-02.jsonl. */
  stemOf(name: string): string {
    return name.replace(this.#rotated, '').replace(/[-._]\d[\dT_.-]{0,30}$/, '');
  }

  /**
   * By name; of one log, what was rotated before what took its place, the oldest first. So a copy is read
   * before the file it was made of goes on.
   */
  inReadingOrder(a: string, b: string): number {
    return compareOrders(this.orderOf(a), this.orderOf(b));
  }

  /** Of `a.jsonl.12` the generation is 12: the higher, the older. Other suffixes are in the order of time. */
  orderOf(name: string): NameOrder {
    const [, log, suffix] = this.#parts.exec(name) ?? [];
    if (log === undefined || suffix === undefined) return { log: name, generation: 0, name };
    if (suffix === '') return { log, generation: 0, name };
    const number = /^\.(\d{1,4})(?:\.(?:gz|zst))?$/.exec(suffix)?.[1];
    return { log, generation: number === undefined ? 0.5 : Number(number), name };
  }
}

/** Made once for each name: a folder of thousands is sorted at every listing. */
export interface NameOrder {
  readonly log: string;
  readonly generation: number;
  readonly name: string;
}

export function compareOrders(a: NameOrder, b: NameOrder): number {
  if (a.log !== b.log) return a.log < b.log ? -1 : 1;
  return b.generation - a.generation || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
