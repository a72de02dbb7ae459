/** Who listens on which channel, in this process. */
export class Wakes {
  readonly #channels = new Map<string, Set<() => void>>();

  /** The channels that somebody listens on. */
  channels(): string[] {
    return [...this.#channels.keys()];
  }

  /** Returns how to stop, which says whether that was the channel's last; the same twice counts twice. */
  add(channel: string, wake: () => void): () => 'last' | 'others' {
    const own = () => wake();
    const wakes = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, wakes.add(own));
    return () => {
      if (!wakes.delete(own) || wakes.size > 0) return 'others';
      this.#channels.delete(channel);
      return 'last';
    };
  }

  wake(channel: string): void {
    for (const wake of [...(this.#channels.get(channel) ?? [])]) wake();
  }
}
