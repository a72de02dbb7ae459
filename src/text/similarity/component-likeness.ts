/** Everything but the message: class, codes, tool, stack, attributes. Each says nothing when it is missing. */
import { alike, type Evidence, unlike } from './evidence.ts';
import { meaningOf } from './lexicon.ts';
import type { Reading } from './read.ts';
import { stackSimilarity } from './stack.ts';

/** What remains of the score for another class, code or telling attribute. */
const REMAINS = { className: 0.55, code: 0.55, exitCode: 0.92, attribute: 0.6 } as const;
const CODE_FAMILIES = ['http', 'errno', 'sql', 'code', 'signal', 'exit'] as const;

/** Classes are compared by their words: `PaymentServiceError` may be renamed, `TimeoutError` is not. */
export function classLikeness(a: Reading, b: Reading): Evidence[] {
  if (a.classWords.length === 0 || b.classWords.length === 0) return [];
  if (a.className === b.className) return [alike('errorClass', 1, `the same class ${a.className}`)];
  const onlyA = a.classWords.filter((word) => !b.classWords.includes(word));
  const onlyB = b.classWords.filter((word) => !a.classWords.includes(word));
  const meantA = onlyA.map((word) => meaningOf(word)?.id).filter((id) => id !== undefined);
  const meantB = onlyB.map((word) => meaningOf(word)?.id).filter((id) => id !== undefined);
  const shared = meantA.filter((id) => meantB.includes(id)).length;
  const names = [a.className, b.className] as const;
  if (meantA.length > shared && meantB.length > shared)
    return [unlike('errorClass', 0, REMAINS.className, names)];
  const renamed = (onlyA.length + onlyB.length) / (a.classWords.length + b.classWords.length);
  const likeness = meantA.length + meantB.length > 2 * shared ? 0.4 : Math.max(0.5, 1 - renamed);
  return [unlike('errorClass', likeness, 1, names)];
}

export function codeLikeness(a: Reading, b: Reading): Evidence[] {
  const evidence: Evidence[] = [];
  for (const family of CODE_FAMILIES) {
    const codesA = a.codes.filter((code) => code.startsWith(`${family}:`));
    const codesB = b.codes.filter((code) => code.startsWith(`${family}:`));
    if (codesA.length === 0 || codesB.length === 0) continue;
    const shared = codesA.find((code) => codesB.includes(code));
    const names = [codesA.join(' '), codesB.join(' ')] as const;
    if (shared !== undefined) evidence.push(alike('codes', 1, `the same code ${shared}`));
    else if (family === 'exit') evidence.push(unlike('codes', 0.6, REMAINS.exitCode, names));
    else evidence.push(unlike('codes', 0, REMAINS.code, names));
  }
  return evidence;
}

export function toolLikeness(a: Reading, b: Reading): Evidence[] {
  if (a.tool === '' || b.tool === '') return [];
  return a.tool === b.tool
    ? [alike('tool', 1, `the same tool ${a.tool}`)]
    : [unlike('tool', 0.4, 1, [a.tool, b.tool])];
}

export function stackLikeness(a: Reading, b: Reading): Evidence[] {
  if (a.frames.length === 0 || b.frames.length === 0) return [];
  const likeness = stackSimilarity(a.frames, b.frames);
  return [alike('stack', likeness, likeness >= 0.8 ? 'the same frames' : 'other frames')];
}

export function attributeLikeness(a: Reading, b: Reading): Evidence[] {
  const differing = a.attributeValues.filter(
    (value) =>
      !b.attributeValues.includes(value) &&
      b.attributeValues.some((other) => other.startsWith(keyOf(value))),
  );
  if (differing.length > 0) {
    const pairs = differing.map(
      (value) =>
        [value, b.attributeValues.find((other) => other.startsWith(keyOf(value)))!] as const,
    );
    return [unlike('attributes', 0, REMAINS.attribute, ...pairs)];
  }
  if (a.attributeKeys.length === 0 || b.attributeKeys.length === 0) return [];
  const shared = a.attributeKeys.filter((key) => b.attributeKeys.includes(key)).length;
  const all = a.attributeKeys.length + b.attributeKeys.length - shared;
  return [
    alike('attributes', 0.5 + (0.5 * shared) / all, `${shared} of ${all} attribute names shared`),
  ];
}

function keyOf(value: string): string {
  return value.slice(0, value.indexOf('=') + 1);
}
