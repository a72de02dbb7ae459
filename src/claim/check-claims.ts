/** Statements against what the commit declares. What cannot be told is not refused. */
import type { CodeIndex } from './code-index.ts';
import { findClaims } from './find-claims.ts';
import { LANGUAGES, languageOf } from './languages.ts';
import { signatureProblem, splitTop } from './parameters.ts';
import type { CheckedClaim, Claim, CodeSymbol, Language, Signature } from './types.ts';

export function checkText(text: string, index: CodeIndex): CheckedClaim[] {
  return checkClaims(findClaims(text), index);
}

export function checkClaims(claims: readonly Claim[], index: CodeIndex): CheckedClaim[] {
  return claims.map((claim) => CHECKS[claim.level](claim, index));
}

type Check = (claim: Claim, index: CodeIndex) => CheckedClaim;

const yes = (claim: Claim, why: string): CheckedClaim => ({ claim, verdict: 'confirmed', why });
const no = (claim: Claim, why: string): CheckedClaim => ({ claim, verdict: 'refused', why });
const unknown = (claim: Claim, why: string): CheckedClaim => ({ claim, verdict: 'unknown', why });

const CHECKS: Readonly<Record<Claim['level'], Check>> = {
  file: checkFile,
  symbol: checkSymbol,
  signature: checkSignature,
  table: checkTable,
  snippet: checkSnippet,
};

function checkFile(claim: Claim, index: CodeIndex): CheckedClaim {
  if (claim.name.endsWith('/'))
    return index.hasFolder(claim.name)
      ? yes(claim, 'The folder is there.')
      : no(claim, `There is no folder ${claim.name}.`);
  return index.filesOf(claim.name).length > 0
    ? yes(claim, 'The file is there.')
    : no(claim, `There is no file ${claim.name}.`);
}

function checkTable(claim: Claim, index: CodeIndex): CheckedClaim {
  const name = claim.name.toLowerCase();
  if (index.tables.has(name)) return yes(claim, 'The table is made here.');
  if (index.mapped.has(name)) return yes(claim, 'Code here maps the table.');
  if (index.tables.size === 0 && index.mapped.size === 0)
    return unknown(claim, 'Neither SQL nor code here names a table.');
  // Code that names one table may leave the name of another to be made from its type.
  if (index.mapped.size > 0 && (!index.isWhole || index.namesType(name)))
    return unknown(claim, 'Code here may map a table of that name.');
  return no(claim, `Neither SQL nor code here leaves a table ${claim.name} behind.`);
}

function checkSnippet(claim: Claim): CheckedClaim {
  if (claim.language === 'json')
    try {
      JSON.parse(claim.name);
      return yes(claim, 'It is JSON.');
    } catch {
      return no(claim, 'It is not JSON.');
    }
  const language = LANGUAGES.find(({ fences }) => fences.includes(claim.language ?? ''));
  if (language === undefined) return unknown(claim, 'Its language is not read.');
  // Lines of dots stand for what is left out.
  const code = claim.name.replace(/^[ \t]*(?:\.\.\.|…)[ \t]*$/gm, '');
  return language.parses(code) ? yes(claim, 'It parses.') : no(claim, 'The code does not parse.');
}

interface Found {
  readonly symbols: readonly CodeSymbol[];
  readonly verdict: CheckedClaim;
}

function checkSymbol(claim: Claim, index: CodeIndex): CheckedClaim {
  return lookUp(claim, index).verdict;
}

function lookUp(claim: Claim, index: CodeIndex): Found {
  const parts = claim.name.split('.');
  const name = parts.at(-1)!;
  const owner = parts.at(-2);
  const found = (symbols: readonly CodeSymbol[]): Found => ({
    symbols,
    verdict: yes(claim, 'It is declared.'),
  });
  const missing = (why: string): Found => ({ symbols: [], verdict: no(claim, why) });
  const open = (why: string): Found => ({ symbols: [], verdict: unknown(claim, why) });
  if (claim.file !== undefined) {
    const files = index.filesOf(claim.file).filter((path) => index.isRead(path));
    if (files.length === 0) return open('The file cannot be read.');
    const isModule =
      owner !== undefined && !index.isOwner(owner) && index.moduleFiles(owner).length > 0;
    const inside = isModule ? undefined : owner;
    const here = files.flatMap((path) => index.declaredIn(path, name, inside));
    // A member may come from what its owner is based on, in another file.
    const inherited =
      inside !== undefined && files.some((path) => index.declaredIn(path, inside).length > 0)
        ? index.membersOf(inside, name)
        : [];
    if (inherited === undefined) return open(`${owner} is based on something that is not here.`);
    if (inherited.length > 0) return found(inherited);
    if (here.length > 0) return found(here);
    if (
      owner === undefined &&
      claim.isDefinition !== true &&
      files.some((path) => index.hasWord(name, path))
    )
      return open('It is used there.');
    return missing(`${claim.file} does not declare ${claim.name}.`);
  }
  if (parts.length > 1 && index.isModule(claim.name)) return found([]);
  if (owner !== undefined && owner !== 'self' && owner !== 'this')
    return ownedBy(index, { owner, name, found, missing, open });
  const declared = index.declared(name);
  if (declared.length > 0) return found(declared);
  if (isOrdinary(name)) return open('It may be a word of the language.');
  if (index.hasWord(name) && claim.isDefinition !== true) return open('It is used.');
  if (!index.isWhole) return open('Not every file could be read.');
  return index.hasWord(name) && index.isImported(name)
    ? open('It comes from elsewhere.')
    : missing(`Nothing here declares ${name}.`);
}

/** Types, values and words of languages, which nobody declares. */
const ORDINARY: ReadonlySet<string> = new Set(
  'string number boolean object undefined null true false void any unknown never None True False self this int float str bool list dict tuple set bytes nil error int64 int32 uint64 float64 byte rune map chan async await function class const let var def func return throw raise yield type interface struct enum import export from default static private public protected readonly new delete typeof instanceof Promise Error Array Map Set Date JSON Math Object String Number Boolean Symbol RegExp Exception ValueError TypeError KeyError RuntimeError NotImplementedError print len range open console process window document fetch npm node git python go yarn pnpm pytest vitest jest eslint tsc make docker main test tests'.split(
    ' ',
  ),
);
const isOrdinary = (name: string) => ORDINARY.has(name);

/** As variables are written in every language that is read; types and constants are not. */
const isVariable = (name: string) => /^[a-z_][A-Za-z0-9_]*$/.test(name);

interface Owned {
  readonly owner: string;
  readonly name: string;
  found(symbols: readonly CodeSymbol[]): Found;
  missing(why: string): Found;
  open(why: string): Found;
}

function ownedBy(index: CodeIndex, given: Owned): Found {
  const { owner, name, found, missing, open } = given;
  if (index.isOwner(owner)) {
    const members = index.membersOf(owner, name);
    if (members === undefined) return open(`${owner} is based on something that is not here.`);
    if (members.length > 0) return found(members);
    return missing(`${owner} has no ${name}.`);
  }
  const files = index.moduleFiles(owner);
  if (files.length > 0) {
    const here = files.flatMap((path) => index.declaredIn(path, name));
    if (here.length > 0) return found(here);
    if (index.isWhole && !files.some((path) => index.hasWord(name, path)))
      return missing(`${owner} does not declare ${name}.`);
    return open('It is used there.');
  }
  if (index.isImported(owner) || isOrdinary(owner)) return open(`${owner} comes from elsewhere.`);
  if (index.declared(owner).length > 0) return open(`What ${owner} holds is not known.`);
  const isCalledSo = index.hasWord(owner);
  // In an example the reader has a variable of that name: any of those that have such a member may be in it.
  const members = isVariable(owner) ? index.members(name) : [];
  if (members.length > 0) return found(members);
  if (isCalledSo || !index.isWhole) return open(`${owner} is a value.`);
  return missing(`Nothing here is called ${owner}.`);
}

function checkSignature(claim: Claim, index: CodeIndex): CheckedClaim {
  const found = lookUp({ ...claim, level: 'symbol' }, index);
  if (found.verdict.verdict !== 'confirmed') return { ...found.verdict, claim };
  const called = found.symbols.flatMap((symbol) => signaturesOf(symbol, index));
  if (called.length === 0)
    return unknown(claim, 'It is declared, and its parameters are not known.');
  const problems = called.map((signature) =>
    fits(claim, signature) ? undefined : problemOf(claim, signature, index),
  );
  if (problems.some((problem) => problem === undefined))
    return yes(claim, 'It is declared like this.');
  return no(claim, `${claim.name} is declared otherwise: ${problems[0]}.`);
}

/** A claim is read in the way in which the declaration's language is written. */
const fits = (claim: Claim, signature: Signature) =>
  LANGUAGES.some(
    (language) => signatureProblem(saidSignature(claim, language), signature) === undefined,
  );

function problemOf(claim: Claim, signature: Signature, index: CodeIndex): string {
  const path = index.paths.find((one) => languageOf(one) !== undefined);
  const language = languageOf(path ?? '') ?? LANGUAGES[0]!;
  return signatureProblem(saidSignature(claim, language), signature) ?? 'it does not fit';
}

function saidSignature({ parameters = '', returns }: Claim, language: Language): Signature {
  const list =
    language.name === 'javascript'
      ? splitTop(parameters).flatMap((one) => language.parameter(one))
      : language.parameter(parameters);
  return { parameters: list, returns };
}

/** A class is called through its constructor. */
function signaturesOf(
  { name, owner, signatures }: CodeSymbol,
  index: CodeIndex,
): readonly Signature[] {
  if (signatures.length > 0 || owner !== undefined) return signatures;
  return (index.membersOf(name, 'constructor') ?? []).flatMap((one) => one.signatures);
}
