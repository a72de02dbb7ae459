/** What the readers of Lezer's trees share. */
import type { SyntaxNode } from '@lezer/common';

export function children(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let one = node.firstChild; one !== null; one = one.nextSibling) all.push(one);
  return all;
}

export function hasError(file: SyntaxNode): boolean {
  const cursor = file.cursor();
  do if (cursor.type.isError) return true;
  while (cursor.next());
  return false;
}

export const sourceOf = ({ from, to }: SyntaxNode, text: string) => text.slice(from, to);

/** Without the parentheses around it. */
export const insideOf = (node: SyntaxNode | null, text: string) =>
  node === null ? '' : sourceOf(node, text).replace(/^\(|\)$/g, '');
