/** Go, by Lezer. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/go';
import { noParameter, splitTop } from '../parameters.ts';
import type { CodeSymbol, FileSymbols, Language, Parameter, Signature } from '../types.ts';
import { children, hasError, insideOf, sourceOf } from './lezer.ts';

/** `a, b int`: the type stands behind the last of its names. In a claim there may be names alone. */
function goParameters(text: string): Parameter[] {
  const parts = splitTop(text);
  const hasTypes = parts.some((one) => /^[\w]+\s+\S/.test(one));
  let type: string | undefined;
  return parts
    .toReversed()
    .map((one) => {
      const [, name = '', said] = /^(\w+)\s+([\s\S]+)$/.exec(one) ?? [];
      if (said !== undefined) type = said.trim();
      const isName = /^\w+$/.test(one);
      // Names without types, or types without names: which of them, the declaration tells.
      if (!hasTypes)
        return {
          ...noParameter,
          name: one.replace(/^\.\.\.|\.\.\.$/g, ''),
          isRest: /^\.\.\.|\.\.\.$/.test(one),
        };
      return {
        ...noParameter,
        name: said === undefined && isName ? one : name,
        type: type?.replace(/^\.\.\./, ''),
        isRest: type?.startsWith('...') ?? false,
      };
    })
    .toReversed();
}

class Reader {
  readonly #text: string;
  readonly symbols: CodeSymbol[] = [];
  readonly bases = new Map<string, string[]>();
  readonly imports = new Map<string, string>();
  readonly passesOn: string[] = [];
  package: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  #source = (node: SyntaxNode) => sourceOf(node, this.#text);

  #named(node: SyntaxNode, owner: string | undefined, signature?: Signature): void {
    const id = node.getChild('DefName') ?? node.getChild('FieldName');
    if (id === null) return;
    this.symbols.push({
      name: this.#source(id),
      owner,
      signatures: signature === undefined ? [] : [signature],
    });
  }

  #signature(node: SyntaxNode): Signature {
    const all = children(node);
    const lists = all.filter(({ name }) => name === 'Parameters');
    const own = node.name === 'MethodDecl' ? lists[1] : lists[0];
    const after = all.slice(all.findIndex((one) => one.from === own?.from) + 1);
    const result = after.find(({ name }) => name !== 'Block' && name !== 'TypeParams');
    return {
      parameters: goParameters(insideOf(own ?? null, this.#text)),
      returns: result === undefined ? undefined : this.#source(result),
    };
  }

  read(node: SyntaxNode) {
    switch (node.name) {
      case 'PackageClause':
        this.package = this.#source(node.getChild('DefName')!);
        return;
      case 'ImportDecl':
        for (const [, alias, path] of this.#source(node).matchAll(/(?:([\w.]+)\s+)?"([^"]+)"/g))
          this.imports.set(alias ?? path!.split('/').at(-1)!, path!);
        return;
      case 'FunctionDecl':
        return this.#named(node, undefined, this.#signature(node));
      case 'MethodDecl': {
        const receiver = insideOf(node.getChild('Parameters'), this.#text);
        const owner = /\*?\s*(\w+)(?:\[[^\]]*\])?\s*$/.exec(receiver)?.[1];
        return this.#named(node, owner, this.#signature(node));
      }
      case 'TypeSpec':
        return this.#type(node);
      case 'ConstSpec':
      case 'VarSpec':
        for (const one of node.getChildren('DefName'))
          this.symbols.push({ name: this.#source(one), owner: undefined, signatures: [] });
        return;
      case 'TypeDecl':
      case 'ConstDecl':
      case 'VarDecl':
      case 'SpecList':
        for (const one of children(node)) this.read(one);
    }
  }

  #type(node: SyntaxNode): void {
    this.#named(node, undefined);
    const name = this.#source(node.getChild('DefName')!);
    const body =
      node.getChild('StructType')?.getChild('StructBody') ??
      node.getChild('InterfaceType')?.getChild('InterfaceBody');
    const bases: string[] = body == null ? ['?'] : [];
    for (const one of body == null ? [] : children(body)) {
      if (one.name === 'MethodElem') this.#named(one, name, this.#signature(one));
      else if (one.name === 'FieldDecl' && one.getChild('FieldName') !== null)
        for (const field of one.getChildren('FieldName'))
          this.symbols.push({ name: this.#source(field), owner: name, signatures: [] });
      else if (/Type|Decl|TypeName|TypeElem/.test(one.name))
        bases.push(
          this.#source(one)
            .replace(/^\*|[`"].*$/g, '')
            .trim(),
        );
    }
    // Methods of a named type are known, wherever they are declared.
    this.bases.set(name, body == null ? [] : bases);
  }
}

function symbols(text: string): FileSymbols | undefined {
  const reader = new Reader(text);
  for (const one of children(parser.parse(text).topNode)) reader.read(one);
  return reader;
}

export const go: Language = {
  name: 'go',
  extensions: ['go'],
  fences: ['go', 'golang'],
  symbols,
  // Statements are shown without their function, declarations without their package.
  parses: (code) =>
    [code, `package p\n${code}`, `package p\nfunc _() {\n${code}\n}`].some(
      (one) => !hasError(parser.parse(`${one}\n`).topNode),
    ),
  comments: /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm,
  parameter: goParameters,
};
