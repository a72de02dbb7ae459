/** Nouns that several files of this room share. */

/** Both ends belong to it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}
