/** What was made of something, kept while it is used: the one used longest ago makes room. */
export class Recent<Made> {
  readonly #most: number;
  /** The one used last is at the end. */
  readonly #kept = new Map<string, Made>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Made): Made {
    const made = this.#kept.has(key) ? this.#kept.get(key)! : make();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most) this.#kept.delete(oldest!);
    return made;
  }
}
