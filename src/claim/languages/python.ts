/** Python, by Lezer. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { colonParameter, splitTop } from '../parameters.ts';
import type { CodeSymbol, FileSymbols, Language, Signature } from '../types.ts';
import { children, hasError, insideOf, sourceOf } from './lezer.ts';

function pythonParameters(text: string): Signature['parameters'] {
  let isKeywordOnly = false;
  return splitTop(text).flatMap((one) => {
    if (one === '*' || one === '/') {
      isKeywordOnly ||= one === '*';
      return [];
    }
    const parameter = { ...colonParameter(one), isKeywordOnly };
    if (parameter.isRest) isKeywordOnly = true;
    return [parameter];
  });
}

/** Bases of the standard library that add no names which a class is known for. */
const CLOSED =
  /^(?:\w+\.)*(?:object|ABC|Protocol|Enum|IntEnum|StrEnum|Flag|IntFlag|NamedTuple|TypedDict|Generic|str|int|Exception|\w+Error|\w+Exception)$/;

class Reader {
  readonly #text: string;
  readonly symbols: CodeSymbol[] = [];
  readonly bases = new Map<string, string[]>();
  readonly imports = new Map<string, string>();
  readonly passesOn: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  #source = (node: SyntaxNode) => sourceOf(node, this.#text);

  #add(name: string, owner: string | undefined, signature?: Signature): void {
    const known = this.symbols.find((one) => one.name === name && one.owner === owner);
    const signatures = signature === undefined ? [] : [signature];
    if (known === undefined) this.symbols.push({ name, owner, signatures });
    else (known.signatures as Signature[]).push(...signatures);
  }

  body(scope: SyntaxNode, owner?: string) {
    for (const one of children(scope)) this.statement(one, owner);
  }

  statement(node: SyntaxNode, owner?: string) {
    switch (node.name) {
      case 'DecoratedStatement':
      case 'StatementGroup':
      case 'IfStatement':
      case 'TryStatement':
        return this.body(node, owner);
      case 'Body':
        return this.body(node, owner);
      case 'FunctionDefinition':
        return this.#function(node, owner);
      case 'ClassDefinition':
        return this.#class(node);
      case 'ImportStatement':
        return this.#import(this.#source(node));
      case 'AssignStatement':
        return this.#assigned(node, owner);
      case 'TypeDefinition': {
        const name = node.getChild('VariableName');
        if (name !== null) this.#add(this.#source(name), owner);
      }
    }
  }

  #function(node: SyntaxNode, owner: string | undefined) {
    const name = node.getChild('VariableName');
    if (name === null) return;
    const all = pythonParameters(insideOf(node.getChild('ParamList'), this.#text));
    const isBound = owner !== undefined && /^(?:self|cls|mcs)$/.test(all[0]?.name ?? '');
    const type = node.getChild('TypeDef');
    this.#add(this.#source(name), owner, {
      parameters: isBound ? all.slice(1) : all,
      returns: type === null ? undefined : this.#source(type).replace(/^->\s*/, ''),
    });
    if (owner === undefined) return;
    for (const [, field] of this.#source(node).matchAll(/\bself\.(\w+)\s*(?::[^=\n]+)?=[^=]/g))
      this.#add(field!, owner);
  }

  #class(node: SyntaxNode) {
    const id = node.getChild('VariableName');
    if (id === null) return;
    const name = this.#source(id);
    this.#add(name, undefined);
    const given = splitTop(insideOf(node.getChild('ArgList'), this.#text));
    const bases = given
      .filter((one) => !/^\w+\s*=/.test(one))
      .map((one) => one.replace(/\[.*$/s, ''));
    this.bases.set(
      name,
      bases.filter((one) => !CLOSED.test(one)),
    );
    const body = node.getChild('Body');
    if (body !== null) this.body(body, name);
    const init = this.symbols.find((one) => one.owner === name && one.name === '__init__');
    if (init !== undefined)
      (
        this.symbols.find((one) => one.owner === undefined && one.name === name)!
          .signatures as Signature[]
      ).push(...init.signatures);
  }

  #assigned(node: SyntaxNode, owner: string | undefined) {
    for (const one of children(node)) {
      if (one.name === 'AssignOp') return;
      if (one.name === 'VariableName') this.#add(this.#source(one), owner);
      if (one.name === 'TupleExpression')
        for (const [name] of this.#source(one).matchAll(/\w+/g)) this.#add(name, owner);
    }
  }

  #import(text: string): void {
    const [, from = '', names = ''] = /^(?:from\s+(\S+)\s+)?import\s+([\s\S]+)$/.exec(text) ?? [];
    for (const one of names.replace(/[()]|#.*$/gm, '').split(',')) {
      const [name = '', local] = one.trim().split(/\s+as\s+/);
      if (name === '*') this.passesOn.push(from);
      else if (name !== '') this.imports.set((local ?? name).trim(), from === '' ? name : from);
    }
  }
}

function symbols(text: string): FileSymbols | undefined {
  const file = parser.parse(text).topNode;
  const reader = new Reader(text);
  reader.body(file);
  return reader;
}

/** Lines of dots stand for what is left out. */
const withoutDots = (code: string) => code.replace(/^\s*(?:>>>|\.\.\.) ?(?=\S)/gm, '');

function dedented(code: string): string {
  const indents = code
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)![0].length);
  const least = Math.min(...indents);
  return code
    .split('\n')
    .map((line) => line.slice(least))
    .join('\n');
}

export const python: Language = {
  name: 'python',
  extensions: ['py', 'pyi'],
  fences: ['py', 'python', 'python3', 'pycon'],
  symbols,
  parses: (code) => {
    const text = dedented(code);
    return [text, withoutDots(text)].some((one) => !hasError(parser.parse(`${one}\n`).topNode));
  },
  comments: /"""[\s\S]*?"""|'''[\s\S]*?'''|#.*$/gm,
  parameter: (text) => [...pythonParameters(text)],
};
