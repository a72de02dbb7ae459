/** A document's values without their places, as `JSON.parse` would give them. */
import type { Document, Node } from './types.ts';

/** One for each document in the file. What aliases share is one object. */
export function plainValues({ roots }: Document): unknown[] {
  const made = new Map<Node, unknown>();
  const plain = (node: Node): unknown => {
    if (node.kind === 'value') return node.value;
    if (made.has(node)) return made.get(node);
    // Even for the key `__proto__` this makes a property of the object itself.
    const value =
      node.kind === 'list'
        ? node.items.map((item) => plain(item.node))
        : Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.node)]));
    made.set(node, value);
    return value;
  };
  return roots.map(plain);
}
