/** Lists of parameters as they are written, in a declaration or in a claim about it: read by the same functions. */
import type { Parameter, Signature } from './types.ts';

/** At commas outside of brackets and quotes. */
export function splitTop(text: string, separator = ','): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'" || sign === '`') quote = sign;
    else if ('([{<'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign) || (sign === '>' && text[at - 1] !== '=' && text[at - 1] !== '-'))
      depth -= 1;
    else if (sign === separator && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The place of a sign outside of brackets and quotes, that is no part of a longer one; -1 if there is none. */
function topIndex(text: string, sign: ':' | '='): number {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!;
    if (quote !== '') {
      if (one === '\\') at += 1;
      else if (one === quote) quote = '';
    } else if (one === '"' || one === "'" || one === '`') quote = one;
    else if ('([{<'.includes(one)) depth += 1;
    else if (')]}'.includes(one) || (one === '>' && text[at - 1] !== '=' && text[at - 1] !== '-'))
      depth -= 1;
    else if (
      one === sign &&
      depth <= 0 &&
      text[at + 1] !== '>' &&
      text[at + 1] !== '=' &&
      text[at - 1] !== ':'
    )
      return at;
  }
  return -1;
}

export const noParameter: Parameter = {
  ...{ name: '', type: undefined, isOptional: false, default: undefined },
  ...{ isRest: false, isKeywordOnly: false },
};

/** `name?: type = value`, as in TypeScript and Python. */
export function colonParameter(text: string): Parameter {
  const equals = topIndex(text, '=');
  const left = (equals < 0 ? text : text.slice(0, equals)).trim();
  const colon = topIndex(left, ':');
  const named = (colon < 0 ? left : left.slice(0, colon)).trim();
  const bare = named.replace(/^(?:(?:public|private|protected|readonly|override)\s+)+/, '');
  const isRest = /^(?:\.\.\.|\*)/.test(bare);
  const name = bare
    .replace(/^(?:\.\.\.|\*{1,2})/, '')
    .replace(/\?$/, '')
    .trim();
  return {
    name: /^[{[]/.test(name) ? '' : name,
    type: colon < 0 ? undefined : left.slice(colon + 1).trim(),
    isOptional: bare.endsWith('?'),
    default: equals < 0 ? undefined : text.slice(equals + 1).trim(),
    isRest,
    isKeywordOnly: false,
  };
}

const plain = (text: string) =>
  text
    .replace(/\s+/g, '')
    .replace(/[`"]/g, "'")
    .replace(/,(?=[)\]}>])/g, '')
    .replace(/;(?=[}])/g, '');

const sameType = (said: string | undefined, found: string | undefined) =>
  said === undefined || found === undefined || plain(said) === plain(found);

/** Why the claim does not fit the declaration; undefined when it does. */
export function signatureProblem(said: Signature, found: Signature): string | undefined {
  const [given, declared] = [said.parameters, found.parameters];
  if (given.some(isValue)) return callProblem(given.length, declared);
  if (given.length !== declared.length)
    return `it has ${declared.length} parameters, not ${given.length}`;
  for (const [at, one] of given.entries()) {
    const other = declared[at]!;
    // A name that is not used, `_`, says nothing.
    if (!isNameless(one) && !isNameless(other) && one.name !== other.name)
      return `parameter ${at + 1} is called ${other.name}, not ${one.name}`;
    if (!sameType(one.type, other.type))
      return `${other.name} is of type ${other.type}, not ${one.type}`;
    if (one.isRest !== other.isRest && (one.isRest || one.type !== undefined))
      return `${other.name} ${other.isRest ? 'takes' : 'does not take'} any number of values`;
    if (one.isKeywordOnly && !other.isKeywordOnly) return `${other.name} is not keyword-only`;
    if (one.default !== undefined) {
      if (other.default === undefined) return `${other.name} has no default`;
      if (plain(one.default) !== plain(other.default) && one.default !== '...')
        return `the default of ${other.name} is ${other.default}, not ${one.default}`;
    }
    if (one.isOptional && !other.isOptional && other.default === undefined)
      return `${other.name} is not optional`;
  }
  if (!sameReturns(said.returns, found.returns))
    return `it returns ${found.returns}, not ${said.returns}`;
  return undefined;
}

const isNameless = ({ name }: Parameter) => name === '' || name === '_';

/** What is given in a call is a value and no name: only how many there are can be compared. */
const isValue = ({ name, type }: Parameter) =>
  type === undefined && /^(?:["'`]|-?\d|\[|\{|true$|false$|null$|None$|nil$|\(\)|.*\()/.test(name);

function callProblem(count: number, declared: readonly Parameter[]): string | undefined {
  const needed = declared.filter(
    (one) => !one.isOptional && one.default === undefined && !one.isRest && !one.isKeywordOnly,
  ).length;
  const most = declared.some(({ isRest }) => isRest) ? Infinity : declared.length;
  if (count >= needed && count <= most) return undefined;
  return `it takes ${needed === most ? needed : `${needed} to ${most}`} arguments, not ${count}`;
}

/** Results of Go may have names, in the declaration or in the claim. */
function sameReturns(said: string | undefined, found: string | undefined): boolean {
  if (sameType(said, found)) return true;
  const types = (text: string) =>
    splitTop(text.trim().replace(/^\(|\)$/g, ''))
      .map((one) => one.split(/\s+/).at(-1)!)
      .join(',');
  return /^\(|^[\w.*[\]]+$/.test(said!.trim()) && types(said!) === types(found!);
}
