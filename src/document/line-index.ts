/** From 1, in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset, by binary search: values come in thousands, and so do lines. */
export function lineIndex(text: string): (offset: number) => TextPosition {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
