/** Everything that a commit declares, read once: files, symbols, tables, and the words of its code. */
import { posix } from 'node:path';
import { LANGUAGES, languageOf } from './languages.ts';
import { applySql, mappedTables } from './tables.ts';
import type { ClaimTree, CodeSymbol, FileSymbols } from './types.ts';

/** Of code files that are read. A larger repository is read in part, and then nothing is called missing. */
const FILES_MAX = 4000;
const CODE_BYTES_MAX = 64 * 1024 * 1024;

export class CodeIndex {
  readonly paths: readonly string[];
  readonly #files = new Map<string, FileSymbols>();
  readonly #words = new Map<string, Set<string>>();
  readonly tables = new Set<string>();
  /** Tables that code says its types are kept in. */
  readonly mapped = new Set<string>();
  /** False where a file could not be read, or not all of them were. */
  isWhole = true;

  private constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  static async of(tree: ClaimTree): Promise<CodeIndex> {
    const index = new CodeIndex(await tree.paths());
    let bytes = 0;
    const code = [...index.paths]
      .sort()
      .filter((path) => languageOf(path) !== undefined || path.endsWith('.sql'));
    index.isWhole = code.length <= FILES_MAX;
    for (const path of code.slice(0, FILES_MAX)) {
      const text = bytes > CODE_BYTES_MAX ? undefined : await tree.read(path);
      if (text === undefined) index.isWhole = false;
      else {
        bytes += text.length;
        index.#add(path, text);
      }
    }
    return index;
  }

  #add(path: string, text: string): void {
    const language = languageOf(path);
    if (path.endsWith('.sql') || /\bCREATE\s+TABLE\b/i.test(text))
      applySql(this.tables, path, text);
    const bare =
      language === undefined
        ? text.replace(/--.*$/gm, '')
        : withoutSentences(text.replace(language.comments, ' '));
    this.#words.set(path, new Set(bare.match(/#?[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
    if (language === undefined) return;
    for (const table of mappedTables(text.replace(language.comments, ' '))) this.mapped.add(table);
    const symbols = language.symbols(text);
    if (symbols === undefined) this.isWhole = false;
    else this.#files.set(path, symbols);
  }

  /** Files that a path in a text may mean: from the root, or the end of one. */
  filesOf(said: string): string[] {
    const path = posix.normalize(said.replaceAll('\\', '/')).replace(/^(?:\.\/|\/)+/, '');
    return this.paths.filter((one) => one === path || one.endsWith(`/${path}`));
  }

  hasFolder(said: string): boolean {
    const folder = `${posix.normalize(said).replace(/^(?:\.\/|\/)+|\/+$/g, '')}/`;
    return this.paths.some((one) => one.startsWith(folder) || one.includes(`/${folder}`));
  }

  isRead(path: string): boolean {
    return this.#files.has(path);
  }

  hasWord(word: string, path?: string): boolean {
    if (path !== undefined) return this.#words.get(path)?.has(word) === true;
    for (const words of this.#words.values()) if (words.has(word)) return true;
    return false;
  }

  /** Declared in that file, or passed on by it, at the top or inside of something. */
  declaredIn(path: string, name: string, owner?: string, depth = 0): readonly CodeSymbol[] {
    const file = this.#files.get(path);
    if (file === undefined || depth > 5) return [];
    const own = file.symbols.filter(
      (one) => one.name === name && (owner === undefined || one.owner === owner),
    );
    if (own.length > 0) return own;
    // What `__init__.py` imports is what the package offers.
    if (path.endsWith('__init__.py') && file.imports.has(name))
      return [{ name, owner: undefined, signatures: [] }];
    return file.passesOn.flatMap((from) =>
      this.#resolved(path, from).flatMap((other) => this.declaredIn(other, name, owner, depth + 1)),
    );
  }

  #resolved(path: string, from: string): string[] {
    if (!from.startsWith('.')) return [];
    const base = posix.join(posix.dirname(path), from);
    const stem = base.replace(/\.(?:[cm]?[jt]sx?)$/, '');
    return this.paths.filter(
      (one) => one === base || new RegExp(`^${escaped(stem)}(?:/index)?\\.[cm]?[jt]sx?$`).test(one),
    );
  }

  declared(name: string, owner?: string): readonly CodeSymbol[] {
    return [...this.#files.keys()].flatMap((path) => this.declaredIn(path, name, owner));
  }

  /** Whether something of that name can have members that are known. */
  isOwner(name: string): boolean {
    return [...this.#files.values()].some(
      ({ bases, symbols }) => bases.has(name) || symbols.some((one) => one.owner === name),
    );
  }

  /** Members of an owner, also of what it is based on; `undefined` where a base is not known here. */
  membersOf(
    owner: string,
    name: string,
    seen = new Set<string>(),
  ): readonly CodeSymbol[] | undefined {
    if (seen.has(owner)) return [];
    seen.add(owner);
    const own = this.declared(name, owner);
    if (own.length > 0) return own;
    let isOpen = false;
    for (const { bases, imports } of this.#files.values())
      for (const base of bases.get(owner) ?? []) {
        const found = this.isOwner(base) ? this.membersOf(base, name, seen) : [];
        if (found === undefined) isOpen = true;
        else if (found.length > 0) return found;
        // A base of the language itself is imported from nowhere.
        else if (!this.isOwner(base) && (base === '?' || imports.has(base.split('.')[0]!)))
          isOpen = true;
      }
    return isOpen ? undefined : [];
  }

  /** Files of a package of Go, or of a module or package of Python, by its name. */
  moduleFiles(name: string): string[] {
    return [...this.#files].flatMap(([path, file]) => {
      const stem = path.replace(/\.[^./]+$/, '');
      const isModule =
        stem === name ||
        stem.endsWith(`/${name}`) ||
        posix.dirname(path).split('/').at(-1) === name;
      return file.package === name || isModule ? [path] : [];
    });
  }

  /** Whether it is the way to a module or a package: `billing.dunning.reminders`. */
  isModule(said: string): boolean {
    const way = said.replaceAll('.', '/');
    return [...this.#files.keys()].some((path) => {
      const stem = path.replace(/(?:\/__init__)?\.[^./]+$/, '');
      return stem === way || stem.endsWith(`/${way}`) || `/${stem}/`.includes(`/${way}/`);
    });
  }

  /** Of that name, of whatever owner. */
  members(name: string): readonly CodeSymbol[] {
    return this.declared(name).filter(({ owner }) => owner !== undefined);
  }

  /** Whether a type is called so but for case, underscores and an ending of the plural. */
  namesType(table: string): boolean {
    const plain = (text: string) => text.toLowerCase().replaceAll('_', '').replace(/e?s$/, '');
    const said = plain(table);
    return [...this.#files.values()].some(({ bases, symbols }) =>
      [...bases.keys(), ...symbols.map(({ name }) => name)].some((one) =>
        said.endsWith(plain(one)),
      ),
    );
  }

  isImported(name: string): boolean {
    return [...this.#files.values()].some(({ imports }) => imports.has(name));
  }
}

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** A string that is one word may name something; one of several is prose, but for what is inserted into it. */
function withoutSentences(code: string): string {
  return code.replace(STRING, (text) =>
    /\s/.test(text) ? (text.match(/\$\{[^}]*\}/g) ?? []).join(' ') : text,
  );
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  ...LANGUAGES.flatMap(({ extensions }) => extensions),
  ...[
    'md',
    'json',
    'jsonc',
    'jsonl',
    'yaml',
    'yml',
    'toml',
    'sql',
    'sh',
    'txt',
    'html',
    'css',
    'scss',
    'xml',
    'csv',
  ],
  ...[
    'ini',
    'cfg',
    'mod',
    'sum',
    'lock',
    'env',
    'proto',
    'rs',
    'java',
    'kt',
    'rb',
    'php',
    'c',
    'h',
    'cpp',
    'cs',
    'swift',
  ],
  ...['vue', 'svelte', 'tf', 'ipynb', 'snap', 'svg', 'png'],
]);
