/** A contract's limits on single arguments. A reason never repeats a value. */
import type { Json } from '../base/index.ts';
import { matchingComponents, openedName } from '../policy/at-start.ts';
import { matchesPattern } from './names.ts';
import type { ArgumentLimit, Contract, Reason } from './types.ts';

export function limitReasons(given: Json, { arguments: limits }: Contract): Reason[] {
  const names = Object.keys(limits);
  if (names.length === 0) return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [reason('The arguments are not an object, so their limits cannot be checked.')];
  }
  const values = new Map(Object.entries(given));
  return names.flatMap((name) => {
    if (!values.has(name)) return [];
    const problem = problemOf(values.get(name) as Json, limits[name]!);
    return problem === undefined ? [] : [reason(`The argument ${name} ${problem}.`)];
  });
}

function problemOf(value: Json, limit: ArgumentLimit): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (limit.maxLength !== undefined && text.length > limit.maxLength) {
    return `has ${text.length} characters; the limit is ${limit.maxLength}`;
  }
  if (limit.oneOf !== undefined && !limit.oneOf.includes(text))
    return 'is not one of those allowed';
  if (limit.within !== undefined && !isWithin(value, limit.within))
    return 'is outside of the allowed paths';
  if (limit.never !== undefined && isForbidden(text, limit.never))
    return 'is one of those that are never allowed';
  return undefined;
}

/** Only a plain relative path is inside anything: one that climbs or begins elsewhere is not followed. */
function isWithin(value: Json, patterns: readonly string[]): boolean {
  const paths = Array.isArray(value) ? value : [value];
  return paths.every((path) => {
    if (typeof path !== 'string' || !/^[\x20-\x7e]+$/.test(path)) return false;
    const components = path
      .replace(/^(?:\.\/)+/, '')
      .toLowerCase()
      .split(/[\\/]/)
      .map(openedName);
    if (components.includes('') || /[\\]/.test(path)) return false;
    // `openedName` takes trailing dots away, so `..` is empty by now and refused above.
    return (
      matchingComponents(
        components,
        patterns.map((one) => `/${one}`),
      ) !== undefined
    );
  });
}

function isForbidden(text: string, patterns: readonly string[]): boolean {
  const forms = [text, text.replace(/['"\\]/g, '')].map((one) =>
    one
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(/\s+/g, ' ')
      .toLowerCase(),
  );
  return patterns.some((pattern) =>
    forms.some((form) => matchesPattern(form, pattern.toLowerCase())),
  );
}

const reason = (text: string): Reason => ({ code: 'argument_limit', level: 3, text });
