/**
 * Follows edits back to the text they began with. A rule runs on what earlier rules left, so its positions
 * are of that text; whoever masks a diff needs positions of the diff. Each call takes time linear in the
 * edits so far.
 */
import { isNobodys } from './nobodys.ts';
import type { Edit, ReplacedKind, Span } from './types.ts';

/** `length` characters at `at` of the present text replace `start` to `end` of the original. */
interface Piece extends Span {
  readonly at: number;
  readonly length: number;
}

/** These only make a text readable; a secret behind them is found by its own rule. */
const READABLE: ReadonlySet<ReplacedKind> = new Set(['control']);

export class Placed {
  /** In ascending order; they do not overlap. */
  #pieces: readonly Piece[] = [];

  /** Edits of the text that all earlier edits made. */
  apply(edits: readonly Edit[]): void {
    const before = this.#pieces;
    const after: Piece[] = [];
    let next = 0;
    /** What to add to a position to get the one in the original, and the one after these edits. */
    let [toOriginal, toAfter] = [0, 0];
    const pass = (piece: Piece) => {
      toOriginal = piece.end - (piece.at + piece.length);
      next += 1;
    };
    const keep = (piece: Piece) => {
      after.push({ ...piece, at: piece.at + toAfter });
      pass(piece);
    };
    for (const edit of edits) {
      while (next < before.length && isBefore(before[next]!, edit)) keep(before[next]!);
      const first = next;
      const startIfOutside = edit.start + toOriginal;
      while (next < before.length && before[next]!.at < edit.end) pass(before[next]!);
      const inside = before.slice(first, next);
      const whole = union(edit, inside, { startIfOutside, endIfOutside: edit.end + toOriginal });
      after.push({ ...whole, at: whole.at + toAfter });
      toAfter += edit.mark.length - (edit.end - edit.start);
    }
    while (next < before.length) keep(before[next]!);
    this.#pieces = joined(after);
  }

  spans(original: string): Span[] {
    return this.all().filter((span) => !isNobodys(span.kind, original.slice(span.start, span.end)));
  }

  /** Also what is nobody's. */
  all(): Span[] {
    return this.#pieces
      .filter(({ kind }) => !READABLE.has(kind))
      .map(({ kind, start, end, mark }) => ({ kind, start, end, mark }));
  }
}

/** Text that was removed right before an edit is not part of it. */
function isBefore({ at, length }: Piece, { start }: Edit): boolean {
  return at + length <= start;
}

/** An edit with the pieces it touches, even if it cuts one of them in two. */
function union(
  edit: Edit,
  inside: readonly Piece[],
  original: { startIfOutside: number; endIfOutside: number },
): Piece {
  const [first, last] = [inside[0], inside.at(-1)];
  const at = Math.min(edit.start, first?.at ?? edit.start);
  const end = Math.max(edit.end, last === undefined ? 0 : last.at + last.length);
  const { kind, mark } = [edit, ...inside].find((one) => !READABLE.has(one.kind)) ?? edit;
  return {
    kind,
    mark,
    at,
    length: end - at - (edit.end - edit.start) + edit.mark.length,
    start: first !== undefined && first.at <= edit.start ? first.start : original.startIfOutside,
    end: end > edit.end ? last!.end : original.endIfOutside,
  };
}

/** Two edits may have cut into one piece from both sides. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last === undefined || piece.start >= last.end) {
      result.push(piece);
      continue;
    }
    const at = Math.min(last.at, piece.at);
    const length = Math.max(last.at + last.length, piece.at + piece.length) - at;
    const { kind, mark } = [last, piece].find((one) => !READABLE.has(one.kind)) ?? last;
    const end = Math.max(last.end, piece.end);
    result[result.length - 1] = { kind, mark, at, length, start: last.start, end };
  }
  return result;
}
