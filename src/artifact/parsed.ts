/**
 * What artifacts say, parsed once for each digest: baselines and patterns are asked for at every look. Each read still
 * fetches the bytes and checks them against the name. Whoever reads one gets the same object again, and must not change it.
 */
import type { Store } from '../store/index.ts';
import { readArtifact } from './artifacts.ts';

export class ParsedArtifacts<T> {
  readonly #parse: (text: string, digest: string) => T;
  readonly #keptMax: number;
  /** Those that were read last come last. */
  readonly #kept = new Map<string, T>();

  constructor(parse: (text: string, digest: string) => T, keptMax: number) {
    this.#parse = parse;
    this.#keptMax = keptMax;
  }

  async read(store: Store, digest: string): Promise<T> {
    const { content } = await readArtifact(store, digest);
    const parsed = this.#kept.get(digest) ?? this.#parse(Buffer.from(content).toString(), digest);
    this.#kept.delete(digest);
    this.#kept.set(digest, parsed);
    if (this.#kept.size > this.#keptMax) this.#kept.delete(this.#kept.keys().next().value!);
    return parsed;
  }
}
