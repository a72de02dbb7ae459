/**
 * Which modules of `src/` the product can reach from `main.ts`, name by name. A room's `index.ts` names all that the
 * room offers, so whoever follows files alone finds everything reachable: here a name that nobody imports leads
 * nowhere. Imports are read from the text, in the few forms that the formatter leaves.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** All names of a module. */
const ALL = '*';

interface Import {
  readonly file: string;
  /** Names as the imported module calls them; `ALL` where they cannot be told. */
  readonly names: readonly string[];
}

interface Module {
  readonly imports: readonly Import[];
  /** `export { a as b } from './c.ts'`: followed only for the names that somebody asked for. */
  readonly passedOn: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

export function reachableFrom(root: string, start: string): Set<string> {
  const modules = new Map<string, Module>();
  const asked = new Set<string>();
  const reached = new Set<string>();
  const open: [string, string][] = [[start, ALL]];
  const moduleOf = (file: string) => {
    const known = modules.get(file) ?? readModule(root, file);
    modules.set(file, known);
    return known;
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [file, name] = next;
    if (asked.has(`${file} ${name}`) || !existsSync(join(root, file))) continue;
    asked.add(`${file} ${name}`);
    const { imports, passedOn } = moduleOf(file);
    if (!reached.has(file)) {
      reached.add(file);
      for (const one of imports) for (const used of one.names) open.push([one.file, used]);
    }
    for (const one of name === ALL ? passedOn.keys() : [name]) {
      const source = passedOn.get(one);
      if (source !== undefined) open.push([source.file, source.name]);
    }
  }
  return reached;
}

function readModule(root: string, file: string): Module {
  const text = withoutComments(readFileSync(join(root, file), 'utf8'));
  const at = (path: string) => normalize(join(dirname(file), path));
  const passedOn = new Map<string, { file: string; name: string }>();
  for (const [, list, path] of text.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']+)'/g))
    for (const [name, as] of namesIn(list!)) passedOn.set(as, { file: at(path!), name });
  const imports: Import[] = [];
  for (const [, list, path] of text.matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g))
    imports.push({ file: at(path!), names: namesIn(list!).map(([name]) => name) });
  for (const [, space, path] of text.matchAll(/import (?:type )?\* as (\w+) from '(\.[^']+)'/g))
    imports.push({ file: at(path!), names: membersOf(text, space!) });
  for (const [, path] of text.matchAll(/(?:^|\n)import '(\.[^']+)'/g))
    imports.push({ file: at(path!), names: [ALL] });
  imports.push(...dynamicImports(text, at));
  return { imports, passedOn };
}

function dynamicImports(text: string, at: (path: string) => string): Import[] {
  const found: Import[] = [];
  const rest = text
    .replace(/const \{([^}]*)\} = await import\(\s*'(\.[^']+)'\s*\)/g, (_, list, path) => {
      const names = namesIn(list.replaceAll(':', ' as ')).map(([name]) => name);
      found.push({ file: at(path), names });
      return '';
    })
    .replace(/\(await import\(\s*'(\.[^']+)'\s*\)\)\.(\w+)/g, (_, path, name) => {
      found.push({ file: at(path), names: [name] });
      return '';
    })
    .replace(/const (\w+) = await import\(\s*'(\.[^']+)'\s*\)/g, (_, space, path) => {
      found.push({ file: at(path), names: membersOf(text, space) });
      return '';
    })
    .replace(/import\('(\.[^']+)'\)\.(\w+)/g, (_, path, name) => {
      found.push({ file: at(path), names: [name] });
      return '';
    });
  for (const [, path] of rest.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)/g))
    found.push({ file: at(path!), names: [ALL] });
  return found;
}

/** `a, type B, c as d` to pairs of the name there and the name here. */
function namesIn(list: string): [string, string][] {
  return list
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [name, as] = one.split(/\s+as\s+/);
      return [name!.trim(), (as ?? name)!.trim()];
    });
}

/** Of a namespace what is asked of it; all of it where it is handed on whole. */
function membersOf(text: string, space: string): string[] {
  const code = text.replace(/'[^'\n]*'/g, "''");
  const uses = [...code.matchAll(new RegExp(`\\b${space}\\b(?:\\.(\\w+))?`, 'g'))];
  const whole = uses.filter(([, name]) => name === undefined).length > 1;
  return whole ? [ALL] : uses.flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');
}
