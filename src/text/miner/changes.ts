/**
 * What a miner's state differs in since it was saved last: a save costs what changed, not what is
 * known. Keys only; what a form looks like is asked for when the changes are taken. What was only counted
 * is no reason to save, and goes along when there is one.
 */
export class ChangedKeys {
  readonly #changed = new Set<number>();
  readonly #counted = new Set<number>();
  readonly #gone = new Set<number>();

  get isEmpty(): boolean {
    return this.#changed.size === 0 && this.#gone.size === 0;
  }

  put(key: number): void {
    this.#changed.add(key);
    this.#gone.delete(key);
  }

  count(key: number): void {
    this.#counted.add(key);
  }

  drop(key: number): void {
    this.#changed.delete(key);
    this.#counted.delete(key);
    this.#gone.add(key);
  }

  /** Forgets what it gives. */
  take(): { changed: number[]; gone: number[] } {
    const changed = [...this.#changed.union(this.#counted)];
    const taken = { changed, gone: [...this.#gone] };
    this.#changed.clear();
    this.#counted.clear();
    this.#gone.clear();
    return taken;
  }
}
