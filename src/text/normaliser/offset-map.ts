/**
 * Builds a text out of pieces of another and remembers where each piece came from. Stretches that
 * were copied one to one cost one entry however long they are, so plain text costs nothing.
 */
export class OffsetMap {
  readonly #parts: string[] = [];
  /** Parallel: where a stretch begins here, where it begins there, and its fixed end or -1 for 1:1. */
  readonly #here: number[] = [];
  readonly #there: number[] = [];
  readonly #fixedEnd: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends text that stands, as a whole, for `start`..`end` of the original. */
  append(text: string, start: number, end: number): void {
    this.#add(text, start, text.length === 1 && end - start === 1 ? -1 : end);
  }

  /** Appends text whose every unit stands for the unit at the same distance from `start`. */
  copy(text: string, start: number): void {
    this.#add(text, start, -1);
  }

  #add(text: string, start: number, fixedEnd: number): void {
    if (text.length === 0) return;
    const last = this.#here.length - 1;
    const continues =
      fixedEnd === -1 &&
      last >= 0 &&
      this.#fixedEnd[last] === -1 &&
      this.#there[last]! + (this.#length - this.#here[last]!) === start;
    if (!continues) {
      this.#here.push(this.#length);
      this.#there.push(start);
      this.#fixedEnd.push(fixedEnd);
    }
    this.#parts.push(text);
    this.#length += text.length;
  }

  toString(): string {
    return this.#parts.join('');
  }

  originalRange(start: number, end: number): { start: number; end: number } {
    if (this.#here.length === 0) return { start: 0, end: 0 };
    const from = this.#locate(Math.max(0, Math.min(start, this.#length - 1)));
    if (end <= start) return { start: from.start, end: from.start };
    const to = this.#locate(Math.max(0, Math.min(end, this.#length) - 1));
    return { start: from.start, end: Math.max(from.start, to.end) };
  }

  #locate(index: number): { start: number; end: number } {
    let low = 0;
    let high = this.#here.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#here[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    const there = this.#there[low]!;
    const fixedEnd = this.#fixedEnd[low]!;
    if (fixedEnd !== -1) return { start: there, end: fixedEnd };
    const start = there + index - this.#here[low]!;
    return { start, end: start + 1 };
  }
}
