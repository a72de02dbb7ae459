/**
 * Patterns for paths: `*` and `?` within a name, `[a-z]` and `[!a-z]`, `{a,b}`, and `**` for any folders between.
 * Matching takes time in proportion to the lengths of pattern and name: names are chosen by whoever writes files.
 */

const MAGIC = /[*?[{]/;
/** Of one pattern; the rest of a larger one is not looked for. */
const ALTERNATIVES_MAX = 256;

/** Folders that hold no telemetry, or too much of other things. They are read where a path names them. */
const PASSED_OVER = new Set(['node_modules']);

export function isGlob(path: string): boolean {
  return MAGIC.test(path);
}

export interface Glob {
  /** The folder above the first part that is a pattern; empty for the current one. */
  readonly base: string;
  /** Each is one way to match a path below the base. */
  readonly alternatives: readonly Alternative[];
}

type Alternative = readonly Segment[];
interface Segment {
  readonly text: string;
  readonly tokens: readonly Token[] | '**';
}
type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' | 'any' }
  | {
      readonly kind: 'class';
      readonly isNot: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

export function parseGlob(path: string): Glob {
  const slash = path.lastIndexOf('/', path.search(MAGIC));
  const base = slash === 0 ? '/' : path.slice(0, Math.max(0, slash));
  const alternatives = expandBraces(path.slice(slash + 1)).map((one) =>
    one
      .split('/')
      .filter((text) => text !== '' && text !== '.')
      .map((text): Segment => ({ text, tokens: text === '**' ? '**' : tokensOf(text) })),
  );
  return { base, alternatives };
}

/** `a{b,c{d,e}}` is `ab`, `acd` and `ace`. A brace without its end, or without a comma, is a character. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && done.length + open.length <= ALTERNATIVES_MAX) {
    const next = open.shift()!;
    const brace = firstBrace(next);
    if (brace === undefined) done.push(next);
    else open.unshift(...brace);
  }
  return [...done, ...open].slice(0, ALTERNATIVES_MAX);
}

function firstBrace(pattern: string): string[] | undefined {
  for (let from = pattern.indexOf('{'); from !== -1; from = pattern.indexOf('{', from + 1)) {
    const cuts = cutsOf(pattern, from);
    if (cuts === undefined) continue;
    const [before, after] = [pattern.slice(0, from), pattern.slice(cuts.at(-1)! + 1)];
    return cuts.slice(1).map((end, at) => before + pattern.slice(cuts[at]! + 1, end) + after);
  }
  return undefined;
}

/** Where the brace opens, its commas, and where it closes. */
function cutsOf(pattern: string, from: number): number[] | undefined {
  const cuts = [from];
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === '{') depth += 1;
    if (pattern[at] === ',' && depth === 1) cuts.push(at);
    if (pattern[at] === '}') depth -= 1;
    if (depth === 0) return cuts.length === 1 ? undefined : [...cuts, at];
  }
  return undefined;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const char = characters[at]!;
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' });
      continue;
    }
    const end = char === '[' ? characters.indexOf(']', at + 2) : -1;
    if (end !== -1) {
      tokens.push(classOf(characters.slice(at + 1, end)));
      at = end;
    } else tokens.push(char === '?' ? { kind: 'one' } : { kind: 'char', char });
  }
  return tokens;
}

function classOf(inside: readonly string[]): Token {
  const isNot = inside[0] === '!' || inside[0] === '^';
  const members = isNot ? inside.slice(1) : inside;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at]!;
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([from, isRange ? members[at + 2]! : from]);
    if (isRange) at += 2;
  }
  return { kind: 'class', isNot, ranges };
}

/** One name against one part. After a mismatch only the last `*` takes more: an earlier one could not help. */
function matchesTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let [at, token, star, starAt] = [0, 0, -1, 0];
  while (at < name.length) {
    const one = tokens[token];
    if (one?.kind === 'any') {
      star = token++;
      starAt = at;
    } else if (one !== undefined && matchesOne(one, name[at]!)) {
      token += 1;
      at += 1;
    } else if (star !== -1) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token]?.kind === 'any') token += 1;
  return token === tokens.length;
}

function matchesOne(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char;
  if (token.kind !== 'class') return true;
  return token.ranges.some(([from, to]) => from <= char && char <= to) !== token.isNot;
}

/** Whether a name is passed over where nothing names it: hidden, or a folder of other people's code. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || PASSED_OVER.has(name);
}

function matchesSegment({ text, tokens }: Segment, name: string): boolean {
  if (text === name) return true;
  if (tokens === '**' || (isPassedOver(name) && !text.startsWith('.'))) return false;
  return matchesTokens(tokens, [...name]);
}

/** How far each alternative is matched: for each, the parts that may come next. */
export type Matched = readonly (readonly number[])[];

export function startOf(glob: Glob): Matched {
  return glob.alternatives.map((alternative) => closed(alternative, [0]));
}

/** With one more name of the path; undefined if nothing below it can match. */
export function stepInto(glob: Glob, matched: Matched, name: string): Matched | undefined {
  const next = glob.alternatives.map((alternative, which) => {
    const found = new Set<number>();
    for (const at of matched[which]!) {
      const segment = alternative[at];
      if (segment === undefined) continue;
      if (segment.tokens === '**' && !isPassedOver(name)) found.add(at);
      if (matchesSegment(segment, name)) found.add(at + 1);
    }
    return closed(alternative, [...found]);
  });
  return next.some((one) => one.length > 0) ? next : undefined;
}

/** `**` also stands for no folder at all. */
function closed(alternative: Alternative, at: readonly number[]): number[] {
  const all = new Set(at);
  for (const one of all) if (alternative[one]?.tokens === '**') all.add(one + 1);
  return [...all].sort((a, b) => a - b);
}

/** Whether the whole pattern is matched. */
export function isMatched(glob: Glob, matched: Matched): boolean {
  return glob.alternatives.some((alternative, which) =>
    matched[which]!.includes(alternative.length),
  );
}

/**
 * Whether the pattern itself says how names of files end, as `*.log` does. If so, a source's own extensions
 * do not matter: whoever writes the pattern names the files.
 */
export function namesFiles({ alternatives }: Glob): boolean {
  return alternatives.every((one) => /\.[A-Za-z0-9]+$/.test(one.at(-1)?.text ?? ''));
}

/** `log` and `txt` for `{*.log,b/*.txt}`. */
export function extensionsOf({ alternatives }: Glob): string[] {
  const found = alternatives.map((one) => /\.([A-Za-z0-9]+)$/.exec(one.at(-1)?.text ?? '')?.[1]);
  return [...new Set(found.filter((one) => one !== undefined))];
}
