/** JavaScript and TypeScript, also with JSX. */
import { type ParserOptions, parse } from '@babel/parser';
import type { ClassBody, Node, ObjectProperty, Program, VariableDeclarator } from '@babel/types';
import {
  type Declared,
  type Language,
  type Named,
  numberOf,
  quotedText,
  type Span,
} from './language.ts';

const OPTIONS: ParserOptions = {
  sourceType: 'unambiguous',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  attachComment: false,
};
/** `<T>x` is a type or an element: a file that is not sound with the one is read with the other. */
const DIALECTS: readonly NonNullable<ParserOptions['plugins']>[] = [
  ['typescript', 'decorators'],
  ['typescript', 'decorators', 'jsx'],
];

export const javascript: Language<Node> = {
  name: 'javascript',
  extensions: ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'tsx', 'jsx'],
  words: { true: 'true', false: 'false' },
  shown: 'JavaScript or TypeScript',
  parse(text) {
    let brokenAt = 0;
    for (const plugins of DIALECTS) {
      try {
        return { file: parse(text, { ...OPTIONS, plugins }).program };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        brokenAt = Math.max(brokenAt, (error as { pos?: number }).pos ?? 0);
      }
    }
    return { brokenAt };
  },
  span,
  declarations,
  literal(node, text) {
    const source = text.slice(node.start!, node.end!);
    if (node.type === 'NumericLiteral') return numberOf(source);
    if (node.type === 'UnaryExpression' && node.argument.type === 'NumericLiteral')
      return /^-[\d.]/.test(source) ? numberOf(source) : undefined;
    if (node.type === 'StringLiteral') return quotedText(source);
    if (node.type === 'BooleanLiteral') return { value: node.value, style: 'plain' };
    return node.type === 'NullLiteral' ? { value: null, style: 'plain' } : undefined;
  },
  entries(node) {
    if (node.type !== 'ObjectExpression') return undefined;
    return node.properties.flatMap((one) => (one.type === 'ObjectProperty' ? property(one) : []));
  },
  items(node) {
    if (node.type !== 'ArrayExpression') return undefined;
    const items = node.elements.filter((one) => one !== null && one.type !== 'SpreadElement');
    return items.length === node.elements.length ? items : undefined;
  },
  factors(node) {
    if (node.type !== 'BinaryExpression' || node.operator !== '*') return undefined;
    return [node.left, node.right];
  },
  reference(node) {
    if (node.type === 'Identifier') return node.name;
    if (node.type !== 'MemberExpression' || node.computed) return undefined;
    return node.property.type === 'Identifier' ? node.property.name : undefined;
  },
  within(node) {
    if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
      return node.expression;
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
    const [given] = node.arguments;
    return node.arguments.length === 1 && given!.type === 'ObjectExpression' ? given : undefined;
  },
};

function span({ start, end }: Node): Span {
  return { start: start!, end: end! };
}

function* declarations(scope: Node): Generator<Declared<Node>> {
  for (const one of (scope as Program | ClassBody).body) {
    if (one.type === 'ExportNamedDeclaration') {
      if (one.declaration != null) yield* declared(one.declaration);
    } else if (one.type === 'ExportDefaultDeclaration')
      yield { key: 'default', at: one, value: one.declaration };
    else yield* declared(one);
  }
}

function* declared(node: Node): Generator<Declared<Node>> {
  if (node.type === 'VariableDeclaration') yield* node.declarations.flatMap(variable);
  else if (node.type === 'ClassDeclaration' && node.id != null)
    yield { key: node.id.name, at: node.id, scope: node.body };
  else if (node.type === 'ClassProperty' && !node.computed && node.value != null)
    yield* named(node.key, node.value);
  else if (node.type === 'ExpressionStatement') yield* moduleExports(node.expression);
}

function variable({ id, init }: VariableDeclarator): Named<Node>[] {
  if (id.type !== 'Identifier' || init == null) return [];
  return [{ key: id.name, at: id, value: init }];
}

/** `module.exports = { … }`. */
function moduleExports(node: Node): Named<Node>[] {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return [];
  const { left, right } = node;
  if (left.type !== 'MemberExpression' || left.computed) return [];
  const isModule = left.object.type === 'Identifier' && left.object.name === 'module';
  const isExports = left.property.type === 'Identifier' && left.property.name === 'exports';
  return isModule && isExports ? [{ key: 'exports', at: left, value: right }] : [];
}

function property({ key, value, computed }: ObjectProperty): Named<Node>[] {
  return computed ? [] : named(key, value);
}

function named(key: Node, value: Node): Named<Node>[] {
  if (key.type === 'Identifier') return [{ key: key.name, at: key, value }];
  if (key.type === 'StringLiteral' || key.type === 'NumericLiteral')
    return [{ key: String(key.value), at: key, value }];
  return [];
}
