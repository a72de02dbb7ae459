/** Python. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import {
  type Declared as AnyDeclared,
  type Named as AnyNamed,
  type Language,
  numberOf,
  quotedText,
} from './language.ts';

type Declared = AnyDeclared<SyntaxNode>;
type Named = AnyNamed<SyntaxNode>;

export const python: Language<SyntaxNode> = {
  name: 'python',
  extensions: ['py', 'pyi'],
  words: { true: 'True', false: 'False' },
  shown: 'Python',
  parse(text) {
    const file = parser.parse(text).topNode;
    const brokenAt = firstError(file);
    return brokenAt === undefined ? { file } : { brokenAt };
  },
  span: ({ from, to }) => ({ start: from, end: to }),
  declarations,
  literal(node, text) {
    const source = sourceOf(node, text);
    if (node.name === 'Number') return numberOf(source);
    if (node.name === 'UnaryExpression' && /^-[\d.]/.test(source))
      return node.lastChild?.name === 'Number' ? numberOf(source) : undefined;
    if (node.name === 'String') return quotedText(source);
    if (node.name === 'Boolean') return { value: source === 'True', style: 'plain' };
    return node.name === 'None' ? { value: null, style: 'plain' } : undefined;
  },
  entries(node, text) {
    if (node.name === 'DictionaryExpression') return pairs(node, text);
    if (node.name !== 'CallExpression') return undefined;
    const given = node.getChild('ArgList');
    return given === null ? undefined : keywords(given, text);
  },
  items(node) {
    if (node.name !== 'ArrayExpression' && node.name !== 'TupleExpression') return undefined;
    const items = children(node).filter(({ name }) => !['[', ']', '(', ')', ','].includes(name));
    return items.some(({ name }) => name === '*' || name === 'ArithOp') ? undefined : items;
  },
  factors(node, text) {
    if (node.name !== 'BinaryExpression') return undefined;
    const [left, sign, right] = children(node);
    if (sign === undefined || sourceOf(sign, text) !== '*') return undefined;
    return right === undefined ? undefined : [left!, right];
  },
  reference(node, text) {
    if (node.name === 'VariableName') return sourceOf(node, text);
    const name = node.name === 'MemberExpression' ? node.lastChild : null;
    return name?.name === 'PropertyName' ? sourceOf(name, text) : undefined;
  },
  within(node) {
    if (node.name !== 'ParenthesizedExpression') return undefined;
    return children(node)[1];
  },
};

function firstError(file: SyntaxNode): number | undefined {
  const cursor = file.cursor();
  do if (cursor.type.isError) return cursor.from;
  while (cursor.next());
  return undefined;
}

function children(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let one = node.firstChild; one !== null; one = one.nextSibling) all.push(one);
  return all;
}

function sourceOf({ from, to }: SyntaxNode, text: string): string {
  return text.slice(from, to);
}

function* declarations(scope: SyntaxNode, text: string): Generator<Declared> {
  for (const one of children(scope)) {
    if (one.name === 'StatementGroup') yield* declarations(one, text);
    else if (one.name === 'ClassDefinition') yield* classOf(one, text);
    else if (one.name === 'AssignStatement') yield* assigned(one, text);
  }
}

function* classOf(node: SyntaxNode, text: string): Generator<Declared> {
  const name = node.getChild('VariableName');
  const scope = node.getChild('Body');
  if (name !== null && scope !== null) yield { key: sourceOf(name, text), at: name, scope };
}

/** `a = 1` and `a: int = 1`; several names at once are left out. */
function* assigned(node: SyntaxNode, text: string): Generator<Named> {
  const parts = children(node).filter(({ name }) => name !== 'TypeDef');
  const [name, equals, value] = parts;
  if (parts.length !== 3 || name?.name !== 'VariableName' || equals?.name !== 'AssignOp') return;
  if (sourceOf(equals, text) === '=') yield { key: sourceOf(name, text), at: name, value: value! };
}

function pairs(node: SyntaxNode, text: string): Named[] {
  const parts = children(node);
  return parts.flatMap((one, at) => {
    const key = one.name === ':' ? parts[at - 1] : undefined;
    const value = parts[at + 1];
    const name = key?.name === 'String' ? quotedText(sourceOf(key, text))?.value : undefined;
    return typeof name === 'string' && value !== undefined ? [{ key: name, at: key!, value }] : [];
  });
}

/** `Agent(name="x", timeout=30)`: what is given by name. */
function keywords(node: SyntaxNode, text: string): Named[] {
  const parts = children(node);
  return parts.flatMap((one, at) => {
    const name = one.name === 'AssignOp' ? parts[at - 1] : undefined;
    const value = parts[at + 1];
    if (name?.name !== 'VariableName' || value === undefined) return [];
    return [{ key: sourceOf(name, text), at: name, value }];
  });
}
