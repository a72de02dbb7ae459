/** JavaScript and TypeScript, by Babel. */
import { type ParserOptions, parse } from '@babel/parser';
import { colonParameter } from '../parameters.ts';
import type { CodeSymbol, FileSymbols, Language, Signature } from '../types.ts';

/** A node of Babel's tree, of which only what is named here is read. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const OPTIONS: ParserOptions = {
  sourceType: 'unambiguous',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  allowNewTargetOutsideFunction: true,
};
const PLUGINS = [
  ['typescript', 'decorators'],
  ['typescript', 'decorators', 'jsx'],
  ['jsx', 'decorators', 'flow'],
] as const;

function treeOf(text: string): Node | undefined {
  for (const plugins of PLUGINS)
    try {
      return parse(text, { ...OPTIONS, plugins: [...plugins] }).program as unknown as Node;
    } catch {
      // The next dialect may read it.
    }
  return undefined;
}

const nodes = (value: unknown): Node[] =>
  Array.isArray(value) ? (value.filter(Boolean) as Node[]) : [];
const nodeOf = (value: unknown) => value as Node | null | undefined;

function nameOf(node: Node | null | undefined): string | undefined {
  if (node == null) return undefined;
  if (node.type === 'Identifier') return node['name'] as string;
  if (node.type === 'StringLiteral') return node['value'] as string;
  if (node.type === 'PrivateName') return `#${nameOf(nodeOf(node['id'])) ?? ''}`;
  return undefined;
}

class Reader {
  readonly #text: string;
  readonly symbols: CodeSymbol[] = [];
  readonly bases = new Map<string, string[]>();
  readonly imports = new Map<string, string>();
  readonly passesOn: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  add(name: string | undefined, owner?: string, signature?: Signature): void {
    if (name === undefined) return;
    const known = this.symbols.find((one) => one.name === name && one.owner === owner);
    if (known === undefined)
      this.symbols.push({ name, owner, signatures: signature === undefined ? [] : [signature] });
    else if (signature !== undefined) (known.signatures as Signature[]).push(signature);
  }

  #source = (node: Node) => this.#text.slice(node.start, node.end);

  /** The type behind its colon. */
  #type(value: unknown): string | undefined {
    const node = nodeOf(value);
    return node == null ? undefined : this.#source(node).replace(/^\s*:\s*/, '');
  }

  signature(node: Node): Signature {
    const given = nodes(node['params'] ?? node['parameters']);
    return {
      parameters: given
        .filter((one) => nameOf(one) !== 'this')
        .map((one) => colonParameter(this.#source(one).replace(/^@\w+(?:\([^)]*\))?\s*/, ''))),
      returns: this.#type(node['returnType'] ?? node['typeAnnotation']),
    };
  }

  statement(node: Node) {
    const id = nameOf(nodeOf(node['id']));
    switch (node.type) {
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        return this.#exported(node);
      case 'ExportAllDeclaration':
        this.passesOn.push(nameOf(nodeOf(node['source'])) ?? '');
        return;
      case 'ImportDeclaration':
        for (const one of nodes(node['specifiers']))
          this.imports.set(
            nameOf(nodeOf(one['local'])) ?? '',
            nameOf(nodeOf(node['source'])) ?? '',
          );
        return;
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        return this.add(id, undefined, this.signature(node));
      case 'ClassDeclaration':
        return this.#class(node, id);
      case 'VariableDeclaration':
        for (const one of nodes(node['declarations'])) this.#variable(one);
        return;
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        return this.#type_(node, id);
      case 'TSEnumDeclaration': {
        this.add(id);
        if (id !== undefined) this.bases.set(id, []);
        const body = nodeOf(node['body']) ?? node;
        for (const one of nodes(body['members'])) this.add(nameOf(nodeOf(one['id'])), id);
        return;
      }
      case 'TSModuleDeclaration':
        this.add(id);
        for (const one of nodes(nodeOf(node['body'])?.['body'])) this.statement(one);
        return;
      case 'ExpressionStatement':
        return this.#assigned(nodeOf(node['expression'])!);
    }
  }

  #exported(node: Node) {
    const declaration = nodeOf(node['declaration']);
    if (declaration != null) this.statement(declaration);
    if (node.type === 'ExportDefaultDeclaration') this.add('default');
    for (const one of nodes(node['specifiers'])) {
      const name = nameOf(nodeOf(one['exported']));
      const local = nameOf(nodeOf(one['local']));
      if (
        name !== undefined &&
        !(name === local && this.symbols.some((known) => known.name === name))
      )
        this.add(name);
    }
  }

  /** `module.exports = { a, b }`, `exports.a = …`, `A.prototype.b = …`. */
  #assigned(node: Node) {
    if (node.type !== 'AssignmentExpression') return;
    const [left, right] = [nodeOf(node['left'])!, nodeOf(node['right'])!];
    const parts = this.#source(left).split('.');
    const isFunction = /Function/.test(right.type);
    if (parts.length === 2 && (parts[0] === 'exports' || parts[0] === 'module')) {
      if (parts[1] !== 'exports')
        this.add(parts[1], undefined, isFunction ? this.signature(right) : undefined);
      else if (right.type === 'ObjectExpression')
        for (const one of nodes(right['properties'])) this.add(nameOf(nodeOf(one['key'])));
    } else if (parts.length === 3 && parts[1] === 'prototype')
      this.add(parts[2], parts[0], isFunction ? this.signature(right) : undefined);
  }

  #variable(node: Node) {
    const id = nodeOf(node['id'])!;
    const value = nodeOf(node['init']);
    const name = nameOf(id);
    if (name === undefined) {
      for (const [one] of this.#source(id).matchAll(/[\w$]+(?=\s*[,}\]=])/g)) this.add(one);
      return;
    }
    const bare =
      value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression'
        ? nodeOf(value['expression'])
        : value;
    if (bare?.type === 'ArrowFunctionExpression' || bare?.type === 'FunctionExpression')
      return this.add(name, undefined, this.signature(bare));
    if (bare?.type === 'ClassExpression') return this.#class(bare, name);
    this.add(name);
    if (bare?.type !== 'ObjectExpression') return;
    this.bases.set(
      name,
      nodes(bare['properties']).some(({ type }) => type === 'SpreadElement') ? ['?'] : [],
    );
    for (const one of nodes(bare['properties'])) {
      const given = nodeOf(one['value']);
      const called =
        one.type === 'ObjectMethod'
          ? one
          : given != null && /Function/.test(given.type)
            ? given
            : undefined;
      this.add(
        nameOf(nodeOf(one['key'])),
        name,
        called === undefined ? undefined : this.signature(called),
      );
    }
  }

  #class(node: Node, name: string | undefined) {
    this.add(name ?? 'default');
    const base = nodeOf(node['superClass']);
    if (name !== undefined)
      this.bases.set(name, base == null ? [] : [this.#source(base).replace(/[<(].*$/s, '')]);
    for (const one of nodes(nodeOf(node['body'])?.['body'])) {
      const member = nameOf(nodeOf(one['key']));
      const called = /Method/.test(one.type) ? this.signature(one) : undefined;
      const value = nodeOf(one['value']);
      const arrow =
        value != null && /Function/.test(value.type) ? this.signature(value) : undefined;
      const isAccessor = one['kind'] === 'get' || one['kind'] === 'set';
      this.add(member, name, isAccessor ? undefined : (called ?? arrow));
      if (member !== 'constructor') continue;
      for (const given of nodes(one['params']))
        if (given.type === 'TSParameterProperty')
          this.add(colonParameter(this.#source(given)).name, name);
    }
    for (const [, field] of this.#source(node).matchAll(/\bthis\.([\w$]+)\s*=[^=]/g))
      this.add(field, name);
  }

  #type_(node: Node, name: string | undefined): void {
    this.add(name);
    if (name === undefined) return;
    const body = nodeOf(node['body']) ?? nodeOf(node['typeAnnotation']);
    const members = nodes(body?.['body'] ?? body?.['members']);
    const bases = nodes(node['extends']).map((one) => this.#source(one).replace(/<.*$/s, ''));
    // Other forms of types are not looked into.
    this.bases.set(
      name,
      body?.type === 'TSInterfaceBody' || body?.type === 'TSTypeLiteral' ? bases : ['?'],
    );
    for (const one of members) {
      const called = /MethodSignature/.test(one.type) ? this.signature(one) : undefined;
      this.add(nameOf(nodeOf(one['key'])), name, called);
    }
  }
}

function symbols(text: string): FileSymbols | undefined {
  const tree = treeOf(text);
  if (tree === undefined) return undefined;
  const reader = new Reader(text);
  for (const one of nodes(tree['body'])) reader.statement(one);
  return reader;
}

export const javascript: Language = {
  name: 'javascript',
  extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
  fences: ['ts', 'typescript', 'tsx', 'js', 'javascript', 'jsx', 'mjs', 'mts'],
  symbols,
  // A method or a pair of an object may be shown by itself.
  parses: (code) =>
    [code, `class A {\n${code}\n}`, `({\n${code}\n})`].some((one) => treeOf(one) !== undefined),
  comments: /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm,
  parameter: (text) => [colonParameter(text)],
};
